# vllm-gguf-plugin 0.0.3, built 2026-07-05.
profile vllm-plugin-0.0.3
engine vllm-plugin
versions 0.0.3
host 0.33.0
extends vllm-plugin-0.0.2
source vllm-gguf-plugin 0.0.3 (built 2026-07-05), read

- dtype.bfloat16.below
