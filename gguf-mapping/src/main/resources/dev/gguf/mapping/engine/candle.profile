# candle-core and candle-transformers 0.11.1.
profile candle
engine candle
versions 0.11.1
source candle-core and candle-transformers 0.11.1, read

title = candle
steps = container kind architecture types split
architectures = gemma3 glm4 lfm2 llama phi2 phi3 qwen2 qwen3 qwen3moe | candle-transformers 0.11.1: quantized_*.rs, one module per family, chosen by the caller and not by general.architecture
architecture.error = no quantised module for {architecture}; the caller chooses one per family
types.readable = F32 F16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K Q8_K BF16 | candle-core 0.11.1: GgmlDType::from_u32
types.error = unknown dtype for tensor {id} | candle-core 0.11.1: while the header is read; EricLBuehler/mistral.rs#2100, #1771, #2117
split = one-file | candle-core 0.11.1: one file
split.error = only the file given is read
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
