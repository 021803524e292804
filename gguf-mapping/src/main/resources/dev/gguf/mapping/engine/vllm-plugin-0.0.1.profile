# vllm-gguf-plugin 0.0.1, built 2026-05-13.
profile vllm-plugin-0.0.1
engine vllm-plugin
versions 0.0.1
host 0.23.0
extends vllm-plugin
source vllm-gguf-plugin 0.0.1 (built 2026-05-13), read

dtype.bfloat16.below = 10.0 | quantization: capability at least 10.0 | 0.0.1 - 0.0.2
replicated = loads | layers/linear.py of vLLM up to 0.23.0 takes the size of what arrives | 0.0.1 with vLLM 0.18.1 - 0.23.0
hosts = 0.18.1 - 0.23.0 | imports compared with each vLLM release by program
override.hf-config = no | plugin.py: TypeError for a configuration with a quantization_config | 0.0.1 - 0.0.4
