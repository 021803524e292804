profile transformers-5.16.1
engine transformers
versions 5.16.1
extends transformers-5.10.4
source transformers 5.16.1: modeling_gguf_pytorch_utils.py, GGUF_CONFIG_MAPPING

architecture.gemma4 = gemma4_text legacy
