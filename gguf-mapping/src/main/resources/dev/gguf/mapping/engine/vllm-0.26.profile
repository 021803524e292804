# vLLM 0.26 to 0.29: a sparse FlashAttention on capability 9.
profile vllm-0.26
engine vllm
versions 0.26.0 - 0.29.0
extends vllm-0.24
source vllm 0.26.0, 0.28.0, read

sparse.FLASH_ATTN_MLA_SPARSE = capability 9 dtypes float16,bfloat16 | v1/attention/backends/mla, class attributes | 0.26.0 - 0.33.0
