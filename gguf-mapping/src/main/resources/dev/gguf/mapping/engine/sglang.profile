# SGLang 0.5.23: the early vLLM loader, grown apart.
profile sglang
engine sglang
versions 0.5.23
extends vllm-0.11
source sglang 0.5.23, read; the name map run

title = SGLang
steps = container kind folder-or-file readable split alias map rename embedding roles experts fused kv-b unfed replicated kernels cuts order tied config-tied vocabulary suffixless mtp surplus
gguf-py = 0.19.0
environments = 5.17.0+0.19.0
- alias.deepseek_v2
- alias.deepseek_v3
- alias.qwen2_moe
- alias.gemma3_text
- probe
- attention
- plain-modules.embedding
- embedding.plain.deepseek2
- projector
- projector.error
- vocabulary.size
- remote.form
- transformers
- tokenizer
- class-absent.glm_moe_dsa
embedding.plain.gemma = unknown: nothing is established about a quantised embedding of this class in SGLang | sglang 0.5.23: not looked at; in vLLM, from which this loader comes, the class takes none
embedding.plain.gemma2 = unknown: nothing is established about a quantised embedding of this class in SGLang | sglang 0.5.23: not looked at; in vLLM, from which this loader comes, the class takes none
alias.cohere = command-r | sglang/srt/model_loader/loader.py
alias.qwen3_moe = qwen3moe split | sglang/srt/model_loader/loader.py: experts are split one by one in the iterator
alias.muse_glimmer = muse-glimmer own | sglang/srt/model_loader: own name map and own configuration reader
config = folder-or-gguf | sglang/srt/utils/hf_transformers_utils.py: config.json beside the file, else transformers reads the GGUF
probe.error = ValueError: GGUF model with architecture {architecture} is not supported yet. | transformers/modeling_gguf_pytorch_utils.py, called by sglang
architecture.error = RuntimeError: Unknown gguf model_type: {model_type} | sglang/srt/model_loader/loader.py; sgl-project/sglang#4756
unmapped = ignored | sglang/srt/model_loader/loader.py: names without a GGUF name share the key "None.suffix"
suffix = last-dot | sglang/srt/model_loader/loader.py
rename = global | sglang/srt/model_loader/weight_utils.py gguf_quant_weights_iterator
rename.plain = F32 | sglang/srt/model_loader/weight_utils.py
plain-modules = F32 | sglang/srt/layers/quantization/gguf.py
bf16 = packed | sglang/srt/layers/quantization/gguf.py: as vLLM 0.11.2
types.dequantise = Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K IQ1_M IQ1_S IQ2_XXS IQ2_XS IQ2_S IQ3_XXS IQ3_S IQ4_XS IQ4_NL | sglang/srt/layers/quantization/gguf.py, the lists evaluated
split = one-file | sglang: X is not a file. for a folder, one shard for a file
split.error = only the shard given is read
kv-b = whole | its own MLA weights w_kc and w_vc are made from kv_b_proj after loading; sgl-project/sglang#4756
dtypes = float16 bfloat16 float32
