# vLLM 0.12: names are compared (vllm#27772); F16 and BF16 stay as they are; repo:quant.
profile vllm-0.12
engine vllm
versions 0.12.0
extends vllm-0.11
source vllm 0.12.0, read

probe.passes = repo:quant | vllm/transformers_utils/config.py: config.json of the repository, the GGUF is not opened | 0.12.0 - 0.23.0
gguf-py = >=0.17.0 | vllm 0.12.0: requirements | 0.12.0 - 0.23.0
environments = 4.57.6+0.17.1 | vllm 0.12.0: requirements; run | 0.12.0
unmapped = error | gguf_loader.py, vllm#27772 | 0.12.0 - 0.23.0
unmapped.every-expert = yes | gguf_loader.py: every expert but the first counts as unmapped; repaired by vllm#30116 | 0.12.0
suffix = weight-bias | gguf_loader.py: split only at .weight and .bias | 0.12.0 - 0.23.0
rename.plain = F32 F16 BF16 | weight_utils.py gguf_quant_weights_iterator: BF16 bytes reinterpreted | 0.12.0 - 0.23.0
bf16 = plain | weight_utils.py, run | 0.12.0 - 0.23.0
plain-modules = F32 F16 BF16 | gguf_loader.py get_unquantized_modules; a fused module looks each part up | 0.12.0 - 0.23.0
plain-modules.embedding = yes | quantization/gguf.py: embedding and lm_head may be plain | 0.12.0 - 0.23.0
experts.float.types = F32 F16 BF16 | weight_utils.py: float experts are not renamed | 0.12.0 - 0.23.0
remote = exact ggml type | vllm/transformers_utils: owner/repo:Q8_0 | 0.12.0 - 0.14.1
remote.form = exact | vllm/transformers_utils: Q4_K_M is not recognised as GGUF | 0.12.0 - 0.14.1
- vocabulary.size
