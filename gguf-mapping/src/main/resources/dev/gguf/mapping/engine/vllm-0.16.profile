# vLLM 0.16: GlmMoeDsaForCausalLM exists. The build 0.16.0rc2.dev313 agrees with 0.16.0.
profile vllm-0.16
engine vllm
versions 0.16.0
extends vllm-0.13
source vllm 0.16.0, read

- class-absent.glm_moe_dsa
class.glm_moe_dsa = GlmMoeDsaForCausalLM | models/registry.py: in deepseek_v2.py, absent in 0.14.1 | 0.16.0 - 0.28.0
remote = type with suffix _M _S _L _XL _XS _XXS | vllm/transformers_utils | 0.16.0 - 0.19.1
remote.form = suffix | vllm/transformers_utils | 0.16.0 - 0.19.1
