profile transformers-5.20.0
engine transformers
versions 5.20.0 - 5.24.0
extends transformers-5.17.0
source transformers 5.20.0: modeling_gguf_pytorch_utils.py, GGUF_CONFIG_MAPPING and integrations/gguf

architecture.lfm2 = lfm2 packed
architecture.qwen35moe = qwen3_5_moe_text packed
