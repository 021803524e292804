# llama.cpp as of commit 0c1e57098, October 2026; run on small files. Dates of support stand beside what came late.
profile llama.cpp
engine llama.cpp
versions 2026-10
source llama.cpp 0c1e57098 (2026-10), run on small converted files

title = llama.cpp
steps = container kind architecture required refused types split companions mtp-loaded
architectures = clip llama llama4 deci falcon baichuan grok gpt2 gptj gptneox mpt starcoder refact bert modern-bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert bloom stablelm qwen qwen2 qwen2moe qwen2vl qwen3 qwen3moe qwen3next hrm_text qwen3vl qwen3vlmoe qwen35 qwen35moe qwen4exp phi2 phi3 phimoe plamo plamo2 plamo3 codeshell orion internlm2 minicpm minicpm3 gemma gemma2 gemma3 gemma3n gemma4 gemma4-assistant gemma-embedding starcoder2 rwkv6 rwkv6qwen2 rwkv7 arwkv7 mamba mamba2 maple jamba xverse command-r cohere2 cohere2moe dbrx olmo olmo2 olmoe muse-glimmer openelm arctic deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 chatglm glm4 glm4moe glm-dsa glm5-next bitnet t5 t5encoder jais jais2 nemotron nemotron_h nemotron_h_moe exaone exaone4 exaone-moe granite granitemoe granitehybrid graniteswitch granite_swa chameleon wavtokenizer-dec plm bailingmoe bailingmoe2 bailingmoe3 dots1 dots3note arcee afmoe laguna ernie4_5 ernie4_5-moe falcon-h1 hunyuan-moe hunyuan-dense hunyuan_vl hy_v3 hy_v4 smollm3 gpt-oss lfm2 lfm2moe dream smallthinker llada llada-moe seed_oss grovemoe apertus minimax-01 minimax-m2 minimax-m3 cogvlm rnd1 pangu-embedded mistral3 eagle3 dflash mistral4 paddleocr mimo2 step35 spark2_5 llama-embed maincoder kimi-linear kimi-k3 talkie mellum nanbeige qwen3tts pockettts
architecture.error = unknown model architecture: '{architecture}' | llama.cpp src/llama-model.cpp; ggml-org/llama.cpp#28050
types.readable = F32 F16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K Q8_K IQ2_XXS IQ2_XS IQ3_XXS IQ1_S IQ4_NL IQ3_S IQ2_S IQ4_XS I8 I16 I32 I64 F64 IQ1_M BF16 TQ1_0 TQ2_0 MXFP4 NVFP4 Q1_0 Q2_0 | ggml.h: ids 0 to 42 less the removed ones
types.error = invalid ggml type {id} | ggml gguf.cpp; ggml-org/llama.cpp#17105
type-since.MXFP4 = 2025-08 | ggml.h; unslothai/unsloth#3124
type-since.NVFP4 = 2026-03 | ggml.h
type-since.Q1_0 = 2026-04 | ggml.h
type-since.Q2_0 = 2026-07 | ggml.h
since.glm-dsa = 2026-02 | ggml-org/llama.cpp#19460
since.glm4moe = 2025-08 | ggml-org/llama.cpp#14939
since.gpt-oss = 2025-08 | ggml-org/llama.cpp, with MXFP4
since.minimax-m2 = 2025-11 | ggml-org/llama.cpp
since.qwen35 = 2026-02 | ggml-org/llama.cpp, EricLBuehler/mistral.rs#2125
indexer.optional = 2026-06 | ggml-org/llama.cpp#24770: the five indexer tensors may be absent from a layer
indexer.used = 2026-07 | ggml-org/llama.cpp#25407
mtp.loaded = 2026-07-22 | ggml-org/llama.cpp#25980, #26290: the MTP block is loaded whenever the file has it; before, its tensors were skipped
requires.minimax-m3 = key:minimax-m3.attention.indexer.head_count | unslothai/unsloth#8513: key not found
requires.muse-glimmer = tensor:attn_q_norm.weight tensor:attn_k_norm.weight | ggml-org/llama.cpp#27178
requires.dflash = key:dflash.target_layers | ggml-org/llama.cpp#25116: DFlash model requires 'target_layers' in GGUF metadata
requires.glm-dsa = key:glm-dsa.attention.key_length_mla key:glm-dsa.attention.value_length_mla tensor:attn_k_b.weight tensor:attn_v_b.weight | src/models/glm-dsa.cpp, run: "requires MLA", k_b and v_b in every layer
refuses.glm-dsa = attn_kv_b.weight+attn_k_b.weight attn_k_b.weight+flat ffn_gate_up_exps.weight | src/models/glm-dsa.cpp, run: kv_b beside its halves, a 2-D k_b, merged experts
refuses.deepseek2 = attn_kv_b.weight+attn_k_b.weight attn_k_b.weight+flat | src/models/deepseek2.cpp, run
split = named | src/llama-model-loader.cpp: the first shard is given, names must follow the pattern
kv-b = halves
findings.error = stops
finding.tensor-order = stops: the reader wants the offsets to be the exact running sum | ggml gguf.cpp
finding.tensor-gap = stops: the reader wants the offsets to be the exact running sum | ggml gguf.cpp
finding.tensor-empty = stops: builds before August 2026 divide by zero on a dimension of 0 | ggml-org/llama.cpp#24263, #26946, ggml-org/ggml#1517
finding.tensor-unknown = stops: done_getting_tensors: wrong number of tensors | src/llama-model-loader.cpp
finding.tensor-multimodal = stops: done_getting_tensors: wrong number of tensors | ggml-org/llama.cpp#27349
finding.block-outside = stops: done_getting_tensors: wrong number of tensors | src/llama-model-loader.cpp
finding.name-foreign = stops: a tensor of the model is not found under its GGUF name | huggingface/candle#1510
finding.name-legacy.warning = depends: the older names load in older builds only | EricLBuehler/mistral.rs#352, ggml-org/llama.cpp#6665, #14939
finding.architecture-doubtful = stops: key not found in model | gpustack/gpustack#2535
finding.dialect = stops: another exporter's dialect of this architecture | ggml-org/llama.cpp#25334, #22954
finding.pre-tokenizer = depends: unknown pre-tokenizer type; a newer build may know it | ggml-org/llama.cpp#12122
finding.default-risky = depends: loads, with a router function taken by default | ggml-org/llama.cpp#18980
finding.key-alias.warning = depends: the key is read under its final name only | ggml-org/llama.cpp#25116
finding.switch-key = depends: the tensors of the group are not asked for without the key | ggml-org/llama.cpp#26185
finding.split-name.warning = depends: the name is taken for a shard's | Mesh-LLM/mesh-llm#311
finding.tensor-name-empty = depends | ggml gguf.cpp
companions = depends: some builds count the scales of MTP layers wrongly (done_getting_tensors: wrong number of tensors) | ggml-org/llama.cpp#27736, #23563
kind.projector = stops: a projector goes beside a language model, as --mmproj: unknown model architecture 'clip' | ggml-org/llama.cpp#7799, #7779
kind.adapter = stops: a LoRA adapter goes beside its base, as --lora: key not found in model | ggml-org/llama.cpp#12857
kind.imatrix = stops: an importance matrix is no model | ggml-org/llama.cpp#9400
kind.vocabulary = stops: a vocabulary has no weights: token_embd.weight not found | ggml-org/llama.cpp#3917, #7729
kind.mtp = depends: an MTP head needs its target, and a build that loads it as a draft | ggml-org/llama.cpp#29174, #28243
kind.not-gguf = stops: no GGUF file
