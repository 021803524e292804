# vllm-gguf-plugin 0.0.2, built 2026-06-11.
profile vllm-plugin-0.0.2
engine vllm-plugin
versions 0.0.2
host 0.33.0
extends vllm-plugin-0.0.1
source vllm-gguf-plugin 0.0.2 (built 2026-06-11), read

types.triton = Q8_1 | quantization: Triton kernels, VLLM_GGUF_USE_CUDA=0 | 0.0.2 - 0.0.5
hosts = 0.22.1 - 0.33.0 | imports compared with each vLLM release by program | 0.0.2 - 0.0.5
replicated = fails | layers/linear.py of vLLM 0.24.0 and newer, run | 0.0.2 - 0.0.5 with vLLM 0.24.0 - 0.33.0
remote = file types such as IQ2_M, MXFP4_MOE; patterns of the top folder only | plugin.py | 0.0.2 - 0.0.5
remote.form = file-type | plugin.py: file types too | 0.0.2 - 0.0.5
