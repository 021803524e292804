# vllm-gguf-plugin 0.0.5, built 2026-08-10.
profile vllm-plugin-0.0.5
engine vllm-plugin
versions 0.0.5
host 0.33.0
extends vllm-plugin-0.0.4
source vllm-gguf-plugin 0.0.5 (built 2026-08-10), read

override.hf-config = yes | plugin.py | 0.0.5
huggingface_hub = ResolvedRevision | plugin.py imports it | 0.0.5
environments = 5.20.0+0.19.0 5.17.0+0.18.0 | run with transformers 5.24.0 and gguf 0.19.0 | 0.0.5
