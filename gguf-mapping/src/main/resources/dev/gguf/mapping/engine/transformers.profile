# What holds for every release of transformers. The releases below it add the architectures.
profile transformers
engine transformers
versions 4.44.2 - 5.24.0
source transformers 4.44.2 to 5.24.0, read; 4.57.6, 5.17.0 and 5.24.0 run

steps = container kind architecture transformers-types split partial
architecture.error = ValueError: GGUF model with architecture {architecture} is not supported yet. | transformers 4.57.6, 5.17.0, 5.24.0: modeling_gguf_pytorch_utils.py load_gguf_checkpoint, run
gguf-py = 0.19.0 | transformers 5.24.0: requires gguf; decoding is gguf-py's dequantize
split = one-file | transformers 5.24.0: modeling_gguf_pytorch_utils.py load_gguf_checkpoint, run with one shard; huggingface/transformers#32266
split.error = a shard alone loads, its absent parameters are newly initialised with a report, and a shard without output.weight makes the model tied
types.legacy = F32 F16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ2_XXS IQ2_XS IQ3_XXS IQ1_S IQ4_NL IQ3_S IQ2_S IQ4_XS IQ1_M BF16 TQ1_0 TQ2_0 MXFP4 NVFP4 | gguf 0.19.0: quants.py dequantize, listed
types.packed = F32 F16 BF16 Q4_0 Q4_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ2_XXS IQ2_XS IQ3_XXS IQ1_S IQ4_NL IQ3_S IQ2_S IQ4_XS IQ1_M | transformers 5.24.0: integrations/gguf, read by program | 5.17.0 - 5.24.0
types.packed.error = holds tensors of ggml type {id}, which is not supported yet. | transformers 5.24.0: integrations/gguf | 5.17.0 - 5.24.0
partial.gemma4 = depends: some layer names of gemma4 are mapped wrongly and the weights keep their initial values without an error; compare the names of `gguf map --to transformers` with the report of the load | intel/auto-round#1926 (2026-06-17) | 5.16.1 and before the repair
dequantised = float32 | transformers 5.24.0: the legacy path decodes every tensor to float32
rename = architecture string replaced in every metadata key and string value | transformers 5.24.0: modeling_gguf_pytorch_utils.py
remote-code = minicpm minicpm3 kimi_k2 internlm2 baichuan xverse qwen orion codeshell chatglm refact plamo plamo2 plamo3 grok jais arctic | transformers 5.24.0: not in the table of causal language models; their code lies in the repository of the model
since.glm_moe_dsa = 5.2.0 | transformers: models/glm_moe_dsa, absent in 5.0.0, present in 5.5.4
since.minimax_m2 = 5.0.0 | transformers: no such model type in 4.57.6, present in 5.17.0
since.deepseek_v32 = 5.0.0 | transformers: no such model type in 4.57.6, present in 5.17.0

# the file itself
findings.error = stops
finding.merges = depends: the tokenizer must come from beside the file
finding.token-duplicate = depends: the tokenizer must come from beside the file
finding.tensor-name-long = note
finding.architecture-doubtful = stops: the keys and tensors of the architecture are not there | gpustack/gpustack#2535
finding.name-foreign = stops: a tensor of the model is not found under its GGUF name | huggingface/candle#1510
kind.projector = stops: a projector (mmproj) is no language model | vllm-project/vllm#15480
kind.adapter = stops: a LoRA adapter is no model
kind.imatrix = stops: an importance matrix is no model
kind.vocabulary = stops: a vocabulary has no weights
kind.mtp = stops: an MTP head is no whole model
kind.not-gguf = stops: no GGUF file
