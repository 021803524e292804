profile transformers-5.17.0
engine transformers
versions 5.17.0
extends transformers-5.16.1
source transformers 5.17.0: modeling_gguf_pytorch_utils.py, GGUF_CONFIG_MAPPING and integrations/gguf

architecture.qwen35 = qwen3_5_text packed
