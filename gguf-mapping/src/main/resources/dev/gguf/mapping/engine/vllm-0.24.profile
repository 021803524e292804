# vLLM 0.24: the loader has left the tree (vllm#39583, vllm#39612). Without the plugin no GGUF file loads.
profile vllm-0.24
engine vllm
versions 0.24.0 - 0.25.0
extends vllm-0.21
source vllm 0.24.0, read

title = vLLM without the plugin
steps = absent
absent = OSError: It looks like the config file at '{file}' is not a valid JSON file. | vllm/transformers_utils/config.py without the GGUF branches; run with transformers; with --quantization gguf: Unknown quantization method: gguf. | 0.24.0 - 0.30.0
transformers = >=5.5.3 | vllm 0.24.0: requirements | 0.24.0 - 0.28.0
- probe
- dtype.bfloat16.below
sparse.FLASHINFER_MLA_SPARSE_SM120 = capability 12 dtypes bfloat16 topk 2048 kv fp8_ds_mla | v1/attention/backends/mla: needs FlashInfer's sparse MLA decode | 0.24.0 - 0.33.0
deepgemm = Sparse Attention Indexer CUDA op requires DeepGEMM support in the current vLLM environment. | vllm sparse attention indexer | 0.24.0 - 0.33.0
replicated = fails | layers/linear.py: ReplicatedLinear no longer takes the size of what arrives | 0.24.0 - 0.33.0
experts.float.error = KeyError: 'model.layers.{layer}.mlp.experts.routed_experts.w13_weight' | models/*.py load_weights | 0.24.0 - 0.33.0
