profile transformers-4.44.2
engine transformers
versions 4.44.2
extends transformers
source transformers 4.44.2: modeling_gguf_pytorch_utils.py, GGUF_CONFIG_MAPPING

architecture.llama = llama legacy
architecture.qwen2 = qwen2 legacy
