# vLLM 0.10: transformers opens the file while arguments are parsed; Qwen mixtures; float modules.
profile vllm-0.10
engine vllm
versions 0.10.0 - 0.10.2
extends vllm-0.8
source vllm 0.10.2, read

steps = container kind reference probe causal-table tokenizer model-type projector dtype parallel attention readable split alias map rename embedding roles experts fused kv-b unfed replicated kernels cuts order tied config-tied vocabulary suffixless mtp surplus
probe = transformers | vllm/engine/arg_utils.py create_engine_config, maybe_override_with_speculators (in ModelConfig in 0.10.2) | 0.10.2 - 0.23.0
probe.passes = none | the function gets only the path of the model, whatever --hf-config-path says | 0.10.2 - 0.11.2
environments = 4.57.6+0.17.1 | vllm 0.10.2: requirements (transformers>=4.55.2, gguf>=0.13.0) | 0.10.2
transformers = >=4.55.2 | vllm 0.10.2: requirements | 0.10.2
alias.qwen2_moe = qwen2moe experts | gguf_loader.py | 0.10.2 - 0.23.0
alias.qwen3_moe = qwen3moe experts | gguf_loader.py | 0.10.2 - 0.23.0
plain-modules = F32 | gguf_loader.py get_unquantized_modules; a module is plain if a list entry is a substring of its name | 0.10.2 - 0.11.2
plain-modules.embedding = no | quantization/gguf.py: embedding and lm_head always take the GGUF method | 0.10.2 - 0.11.2
