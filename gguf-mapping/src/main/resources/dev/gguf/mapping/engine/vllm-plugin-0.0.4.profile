# vllm-gguf-plugin 0.0.4, built 2026-07-12.
profile vllm-plugin-0.0.4
engine vllm-plugin
versions 0.0.4
host 0.33.0
extends vllm-plugin-0.0.3
source vllm-gguf-plugin 0.0.4 (built 2026-07-12), read

expert-layout = one-by-one | weights_adapter/default.py map_weights: unbound into one name per expert | 0.0.4 - 0.0.5
