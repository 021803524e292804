# vLLM 0.8 and 0.9: DeepSeek (vllm#13167), float32, --hf-config-path.
profile vllm-0.8
engine vllm
versions 0.8.0 - 0.9.2
extends vllm-0.5
source vllm 0.8.5, 0.9.2, read

config.option = --hf-config-path | vllm/transformers_utils/config.py get_config; vllm#15277 | 0.8.5 - 0.9.2
gguf-py = >=0.13.0 | vllm 0.8.5, 0.9.2: requirements | 0.8.5 - 0.11.2
environments = 4.57.6+0.17.1 | vllm 0.8.5, 0.9.2: requirements (transformers>=4.51.1, gguf>=0.13.0); run | 0.8.5 - 0.9.2
transformers = >=4.51.1 | vllm 0.8.5: requirements | 0.8.5 - 0.9.2
dtypes = float16 bfloat16 float32 | quantization/gguf.py | 0.8.5 - 0.23.0
alias.deepseek_v2 = deepseek2 experts exp_probs_b | gguf_loader.py; vllm#13167 | 0.8.5 - 0.23.0
alias.deepseek_v3 = deepseek2 experts exp_probs_b | gguf_loader.py; vllm#13167 | 0.8.5 - 0.23.0
vocabulary.multiple = padded | layers/vocab_parallel_embedding.py: padded rows are filled with 0 | 0.7.3 - 0.23.0
