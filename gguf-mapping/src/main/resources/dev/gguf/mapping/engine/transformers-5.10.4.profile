profile transformers-5.10.4
engine transformers
versions 5.10.4
extends transformers-5.5.4
source transformers 5.10.4: modeling_gguf_pytorch_utils.py, GGUF_CONFIG_MAPPING

architecture.gpt-oss = gpt_oss legacy
