# vLLM 0.33, the newest release read.
profile vllm-0.33
engine vllm
versions 0.33.0
extends vllm-0.30
source vllm 0.33.0, read

absent = Invalid repository ID or local directory specified: '{file}' | vllm/transformers_utils/config.py: the speculators probe passes over local files, the next step fails | 0.33.0
sparse.FLASH_ATTN_MLA_SPARSE_FA4 = capability 10 dtypes bfloat16 | v1/attention/backends/mla, class attributes | 0.33.0
transformers = >=5.16.1,<5.21.0 | vllm 0.33.0: requirements | 0.33.0
kv.auto.10 = fp8_e4m3 | vllm/models/config.py: the cache of GLM becomes fp8_e4m3 on capability 10 | 0.33.0
