# vLLM 0.13 to 0.15: the mixtures map again (vllm#30116); bfloat16 refused from capability 10.0 (vllm#30408).
profile vllm-0.13
engine vllm
versions 0.13.0 - 0.15.1
extends vllm-0.12
source vllm 0.13.0, 0.14.1, read; 0.15 not read

unmapped.every-expert = no | gguf_loader.py, vllm#30116 | 0.13.0 - 0.23.0
environments = 4.57.6+0.18.0 4.57.6+0.17.1 | vllm 0.13.0: requirements; run | 0.13.0 - 0.18.1
dtype.bfloat16.below = 10.0 | vllm/config/vllm.py and quantization/gguf.py; vllm#30408, vllm#30410, vllm#47470 | 0.13.0 - 0.23.0
dtype.warning = GGUF has precision issues with bfloat16 on Blackwell. | quantization/gguf.py | 0.13.0 - 0.23.0
