profile transformers-5.0.0
engine transformers
versions 5.0.0
extends transformers-4.57.6
source transformers 5.0.0: modeling_gguf_pytorch_utils.py, GGUF_CONFIG_MAPPING

