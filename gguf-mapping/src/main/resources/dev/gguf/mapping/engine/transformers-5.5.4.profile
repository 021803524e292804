profile transformers-5.5.4
engine transformers
versions 5.5.4
extends transformers-5.0.0
source transformers 5.5.4: modeling_gguf_pytorch_utils.py, GGUF_CONFIG_MAPPING

architecture.minimax-m2 = minimax_m2 legacy
