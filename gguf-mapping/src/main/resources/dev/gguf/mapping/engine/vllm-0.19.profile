# vLLM 0.19: transformers 5 is allowed.
profile vllm-0.19
engine vllm
versions 0.19.0 - 0.19.1
extends vllm-0.17
source vllm 0.19.1, read

transformers = >=4.56.0, not 5.0 - 5.5.0 | vllm 0.19.1: requirements | 0.19.1 - 0.23.0
environments = 4.57.6+0.18.0 5.17.0+0.18.0 5.17.0+0.19.0 | vllm 0.19.1 - 0.23.0: requirements; run | 0.19.1 - 0.23.0
sparse.FLASHINFER_MLA_SPARSE = capability 10 dtypes float16,bfloat16 nope 128,192 | flashinfer_mla_sparse.py: requires qk_nope_head_dim in [128, 192] | 0.19.1 - 0.33.0
