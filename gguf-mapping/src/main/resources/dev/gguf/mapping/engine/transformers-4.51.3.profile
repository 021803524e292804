profile transformers-4.51.3
engine transformers
versions 4.51.3
extends transformers-4.44.2
source transformers 4.51.3: modeling_gguf_pytorch_utils.py, GGUF_CONFIG_MAPPING

architecture.qwen2moe = qwen2_moe legacy
architecture.falcon = falcon legacy
architecture.phi3 = phi3 legacy
architecture.bloom = bloom legacy
architecture.t5 = t5 legacy
architecture.stablelm = stablelm legacy
architecture.gpt2 = gpt2 legacy
architecture.starcoder2 = starcoder2 legacy
architecture.mamba = mamba legacy
architecture.nemotron = nemotron legacy
architecture.gemma2 = gemma2 legacy
