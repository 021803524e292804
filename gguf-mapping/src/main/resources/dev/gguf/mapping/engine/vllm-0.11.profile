# vLLM 0.11: gemma3 text; the first sparse attention for models with an indexer.
profile vllm-0.11
engine vllm
versions 0.11.0 - 0.11.2
extends vllm-0.10
source vllm 0.11.2, read

environments = 4.57.6+0.17.1 | vllm 0.11.2: requirements (transformers>=4.56.0,<5, gguf>=0.13.0); run | 0.11.2
transformers = >=4.56.0,<5 | vllm 0.11.2: requirements | 0.11.2 - 0.18.1
alias.gemma3_text = gemma3 | gguf_loader.py | 0.11.2 - 0.23.0
attention = sparse | vllm/platforms/cuda.py, v1/attention/backends/mla | 0.11.2 - 0.33.0
attention.error = ValueError: No valid attention backend found for cuda with AttentionSelectorConfig(head_size=576, dtype=torch.{dtype}, kv_cache_dtype=auto, block_size=None, use_mla=True, has_sink=False, use_sparse=True). Reasons: {reasons}. | vllm/platforms/cuda.py get_attn_backend_cls; the fields in the brackets differ by release; vllm#45317, vllm#57932, vllm#53963 | 0.11.2 - 0.33.0
sparse.FLASHMLA_SPARSE = capability 9,10 dtypes bfloat16 fp8 fp8_ds_mla | v1/attention/backends/mla/flashmla_sparse.py, class attributes | 0.11.2 - 0.33.0
indexer.layers = all | models/deepseek_v2.py: every layer builds an indexer | 0.11.2 - 0.20.2
deepgemm = Sparse Attention Indexer CUDA op requires DeepGEMM to be installed. | vllm sparse attention indexer | 0.11.2 - 0.23.0
projector = gemma3 | gguf_loader.py: mmproj.gguf, mmproj-*.gguf, *mmproj*.gguf in the folder of the file; with a GGUF tokenizer refused | 0.11.2 - 0.23.0
projector.error = AssertionError: Could not find mm_proj file for multimodal GGUF model | gguf_loader.py | 0.11.2 - 0.23.0
