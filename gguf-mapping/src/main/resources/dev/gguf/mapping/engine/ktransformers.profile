# kt-kernel 0.7.2, the engine of ktransformers 0.7.2: only the routed experts come from GGUF.
profile ktransformers
engine ktransformers
versions 0.7.2
source kt-kernel 0.7.2, read; ktransformers 95009ea6 (2026-08-21)

title = ktransformers
steps = container kind experts-only
experts-only = blk.N.ffn_gate_exps.weight, blk.N.ffn_up_exps.weight and blk.N.ffn_down_exps.weight are taken by name; everything else comes from safetensors of the model | kt-kernel 0.7.2
folder = every .gguf in the folder is read, names from later files win | kt-kernel 0.7.2; kvcache-ai/ktransformers#1655
kv-b = archived | the archived loader wants attn_kv_b: kvcache-ai/ktransformers#1333, #1273, #1347
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
