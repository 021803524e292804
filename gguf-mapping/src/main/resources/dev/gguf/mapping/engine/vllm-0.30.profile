# vLLM 0.30 to 0.32: the GLM class moves to vllm.models.deepseek_v32.
profile vllm-0.30
engine vllm
versions 0.30.0 - 0.32.0
extends vllm-0.26
source vllm 0.30.0, read

class.glm_moe_dsa = vllm.models.deepseek_v32 | models/registry.py | 0.30.0 - 0.33.0
sparse.FLASHINFER_MLA_SPARSE_SM90 = capability 9 dtypes bfloat16 | v1/attention/backends/mla: needs FlashInfer 0.6.18 | 0.30.0 - 0.33.0
transformers = >=5.10.4 | vllm 0.30.0: requirements | 0.30.0
kv.mla.nvfp4_ds_mla = 352 | FLASHMLA_SPARSE on capability 10 | 0.30.0 - 0.33.0
