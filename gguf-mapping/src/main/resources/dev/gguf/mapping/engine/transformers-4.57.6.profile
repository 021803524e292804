profile transformers-4.57.6
engine transformers
versions 4.57.6
extends transformers-4.55.4
source transformers 4.57.6: modeling_gguf_pytorch_utils.py, GGUF_CONFIG_MAPPING

architecture.lfm2 = lfm2 legacy
architecture.deci = deci legacy
