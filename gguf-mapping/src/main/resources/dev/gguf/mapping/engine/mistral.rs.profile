# mistralrs-core 0.8.1.
profile mistral.rs
engine mistral.rs
versions 0.8.1
source mistralrs-core 0.8.1, read

title = mistral.rs
steps = container kind architecture types split
architectures = llama mistral3 phi2 phi3 starcoder2 qwen2 qwen3 qwen3moe | mistralrs-core 0.8.1: gguf pipeline
architectures.known = mpt gptneox gptj gpt2 bloom falcon mamba rwkv | mistralrs-core 0.8.1: known by name, "Unsupported architecture"
architecture.error = Unknown GGUF architecture: {architecture} | mistralrs-core 0.8.1; EricLBuehler/mistral.rs#2125
types.readable = F32 F16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K Q8_K BF16 | candle-core: GgmlDType::from_u32
types.error = unknown dtype for tensor {id} | candle-core: while the header is read; EricLBuehler/mistral.rs#2100, #1771, #2117
split = listed | mistralrs-core 0.8.1: all files must be listed
split.error = Number of GGUF files does not match the number of splits, expected {files} files.
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
