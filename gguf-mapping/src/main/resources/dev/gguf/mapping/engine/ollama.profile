# ollama, known from reports only.
profile ollama
engine ollama
versions unknown
source reports only: ollama/ollama#14730 and others

title = ollama
steps = container kind reported
reported.qwen35 = depends: text since 0.17.7; with a projector another code path is taken, which may not know the architecture | ollama/ollama#14730; ggml-org/llama.cpp#25334
reported.qwen35moe = depends: text since 0.17.7; with a projector another code path is taken, which may not know the architecture | ollama/ollama#14730
reported.dialect = depends: its own exporter writes this dialect, and releases with that model read it | ggml-org/llama.cpp#25334
reported = unknown: its own Go models and a vendored llama.cpp, by release; nothing is established for this architecture
finding.dialect = note
finding.tensor-multimodal = note
findings.error = stops
finding.merges = depends: the tokenizer must come from beside the file
finding.token-duplicate = depends: the tokenizer must come from beside the file
finding.tensor-name-long = note
kind.projector = stops: a projector (mmproj) is no language model | vllm-project/vllm#15480
kind.adapter = stops: a LoRA adapter is no model
kind.imatrix = stops: an importance matrix is no model
kind.vocabulary = stops: a vocabulary has no weights
kind.mtp = stops: an MTP head is no whole model
kind.not-gguf = stops: no GGUF file
