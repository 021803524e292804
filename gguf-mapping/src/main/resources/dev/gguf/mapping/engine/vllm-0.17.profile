# vLLM 0.17 and 0.18: FlashInfer's sparse MLA on capability 10, for a nope width of 128 only.
profile vllm-0.17
engine vllm
versions 0.17.0 - 0.18.1
extends vllm-0.16
source vllm 0.17.1, 0.18.1, read

sparse.FLASHINFER_MLA_SPARSE = capability 10 dtypes float16,bfloat16 nope 128 | v1/attention/backends/mla/flashinfer_mla_sparse.py: requires qk_nope_head_dim == 128 | 0.17.1 - 0.18.1
experts.activation = any | layers/fused_moe: only SiLU up to 0.16.0 | 0.17.1 - 0.23.0
