profile transformers-4.55.4
engine transformers
versions 4.55.4
extends transformers-4.51.3
source transformers 4.55.4: modeling_gguf_pytorch_utils.py, GGUF_CONFIG_MAPPING

architecture.qwen3 = qwen3 legacy
architecture.qwen3moe = qwen3_moe legacy
architecture.gemma3 = gemma3_text legacy
