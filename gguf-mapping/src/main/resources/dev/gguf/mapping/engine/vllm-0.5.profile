# vLLM 0.5 to 0.7: the first loader in the tree (vllm#5191, 2024-08). Later generations state what they change.
profile vllm-0.5
engine vllm
versions 0.5.5 - 0.7.3
source vllm 0.5.5, 0.6.6, 0.7.3, read

title = vLLM, loader in the tree
steps = container kind reference configuration causal-table tokenizer model-type dtype parallel attention readable split alias map rename embedding roles experts fused kv-b unfed replicated kernels cuts order tied config-tied vocabulary suffixless mtp surplus
gguf-py = ==0.10.0 | vllm 0.6.6, 0.7.3: requirements
environments = 4.51.3+0.10.0 | vllm 0.7.3: requirements (transformers>=4.48.2, gguf==0.10.0)

# admission
config = gguf-or-path | vllm/transformers_utils/config.py get_config | 0.5.5 - 0.23.0
config.option = none
remote.form = none | vllm/transformers_utils: no reference of the form owner/repo:quant | 0.5.5 - 0.11.2
architecture.error = RuntimeError: Unknown gguf model_type: {model_type} | vllm/model_executor/model_loader/gguf_loader.py _get_gguf_weights_map (loader.py up to 0.8.5) | 0.5.5 - 0.23.0
probe.error = ValueError: GGUF model with architecture {architecture} is not supported yet. | transformers/modeling_gguf_pytorch_utils.py load_gguf_checkpoint, called by vllm | 0.5.5 - 0.23.0
model-type.error = ValueError: The checkpoint you are trying to load has model type `{model_type}` but Transformers does not recognize this architecture. This could be because of an issue with the checkpoint, or because your version of Transformers is out of date. | transformers/models/auto/configuration_auto.py from_pretrained | 0.5.5 - 0.23.0
config.error = Can't get gguf config for {model_type}. | vllm/transformers_utils/config.py: a model type outside transformers' table of causal language models | 0.5.5 - 0.23.0
alias.cohere = command-r | vllm/model_executor/model_loader/gguf_loader.py | 0.5.5 - 0.23.0

class-absent.glm_moe_dsa = ValueError: Model architectures ['GlmMoeDsaForCausalLM'] are not supported for now. | models/registry.py: absent in 0.14.1 | 0.5.5 - 0.14.1

# names
unmapped = ignored | gguf_loader.py: nothing is compared | 0.5.5 - 0.11.2
suffix = last-dot | gguf_loader.py: split at the last dot | 0.5.5 - 0.11.2
unused-tensors = skipped | weight_utils.py: a tensor without an entry is passed over without a message | 0.5.5 - 0.23.0
unmapped.error = RuntimeError: Failed to map GGUF parameters ({count}): {list} | gguf_loader.py, vllm#27772 | 0.12.0 - 0.23.0
rename = global | vllm/model_executor/model_loader/weight_utils.py gguf_quant_weights_iterator: every "weight" in the name, vllm#5191 | 0.5.5 - 0.23.0
rename.plain = F32 | weight_utils.py gguf_quant_weights_iterator | 0.5.5 - 0.11.2
rename.error = KeyError: '{name}' | models/*.py load_weights: params_dict[name] | 0.5.5 - 0.23.0
stream = types-first | weight_utils.py: all types, then all data | 0.5.5 - 0.23.0
expert-layout = expert-0 | gguf_loader.py: the three-dimensional tensor is handed over under expert 0 | 0.8.5 - 0.23.0

# types and modules
types.plain = F32 F16 BF16 | vllm/model_executor/layers/quantization/gguf.py | 0.5.5 - 0.23.0
types.dequantise = Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K IQ1_M IQ1_S IQ2_XXS IQ2_XS IQ2_S IQ3_XXS IQ3_S IQ4_XS IQ4_NL | quantization/gguf.py DEQUANT_TYPES, the lists evaluated | 0.6.6 - 0.23.0
types.mmvq = Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K IQ1_M IQ1_S IQ2_XXS IQ2_XS IQ2_S IQ3_XXS IQ3_S IQ4_XS IQ4_NL | quantization/gguf.py MMVQ_QUANT_TYPES | 0.6.6 - 0.23.0
types.mmq = Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K | quantization/gguf.py MMQ_QUANT_TYPES | 0.6.6 - 0.23.0
types.no-kernel = Q8_1 | csrc/quantization/gguf: the CUDA kernels have no case for it, the output is not set | 0.5.5 - 0.23.0
types.error = ValueError: Unsupported GGUF quantization type {id} in layer {module} | quantization/gguf.py process_weights_after_loading | 0.6.6 - 0.23.0
types.experts.error = NotImplementedError: Unsupported GGUF quantization type: {id} | quantization/gguf.py, at the first token | 0.6.6 - 0.23.0
experts.float = KeyError | quantization/gguf.py: the GGUF method is chosen for experts even if they are float, and it has no w13_weight | 0.5.5 - 0.23.0
experts.float.types = F32 | quantization/gguf.py with weight_utils.py: F16 and BF16 experts are renamed and take the slow loop | 0.5.5 - 0.11.2
experts.float.error = KeyError: 'model.layers.{layer}.mlp.experts.w13_weight' | models/*.py load_weights | 0.5.5 - 0.23.0
experts.types = last | quantization/gguf.py: one stored type for gate and up, the last one loaded | 0.5.5 - 0.23.0
plain-modules = none | quantization/gguf.py: every linear module and embedding takes the GGUF method | 0.5.5 - 0.9.2
bf16 = packed | vllm 0.11.2 run: RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x64 and 128x64) | 0.5.5 - 0.11.2
embedding.plain.gemma2 = KeyError: 'model.embed_tokens.{type}' | cases of vllm#30421, vllm#30699, vllm#13167, transformers#39976: the class gives its embedding no quantisation config | 0.5.5 - 0.23.0
embedding.plain.gemma = KeyError: 'model.embed_tokens.{type}' | models/gemma.py, as gemma2 | 0.5.5 - 0.23.0
embedding.plain.deepseek2 = KeyError: 'model.embed_tokens.{type}' | reports of vllm#13167, vllm#30421 with files whose embedding is quantised | 0.5.5 - 0.23.0
fused.mixed.error = ValueError: Detected some but not all shards of {module} are quantized. All shards of fused layers to have the same precision. | quantization/utils: is_layer_skipped, for modules of several shards | 0.10.2 - 0.23.0
fused.order = stream | vllm/model_executor/layers/linear.py: merged shards are laid out in order of arrival, vllm#41053, vllm#41057, vllm#35019 | 0.5.5 - 0.23.0
float-only.ffn_gate_inp = mlp.gate | models/deepseek_v2.py, qwen3_moe.py: the router has no quantisation config | 0.5.5 - 0.33.0
float-only.ffn_gate_inp_shexp = mlp.shared_expert_gate | models/qwen2_moe.py: plain linear | 0.5.5 - 0.33.0
float-only.indexer.proj = self_attn.indexer.weights_proj | models/deepseek_v2.py Indexer: quant_config None | 0.11.2 - 0.19.1
float-only.nextn.eh_proj = eh_proj | models/deepseek_mtp.py: a plain torch linear | 0.8.5 - 0.33.0

# dtypes
dtypes = float16 bfloat16 | quantization/gguf.py get_supported_act_dtypes | 0.5.5 - 0.7.3
dtype.error = ValueError: torch.{dtype} is not supported for quantization method gguf. Supported dtypes: [{supported}] | vllm/config/vllm.py _get_quantization_config (config.py before) | 0.5.5 - 0.23.0
capability.minimum = 6.0 | quantization/gguf.py get_min_capability | 0.5.5 - 0.23.0
capability.error = ValueError: The quantization method gguf is not supported for the current GPU. Minimum capability: 60. Current capability: {capability}. | vllm/config | 0.5.5 - 0.23.0
float16.refused = gemma2 gemma3 gemma3_text glm4 | vllm/config/model.py | 0.8.5 - 0.33.0
float16.refused.error = ValueError: The model type '{model_type}' does not support float16. Reason: Numerical instability. | vllm/config/model.py | 0.8.5 - 0.33.0

# tensor parallelism: kind of cut, module, shard
module.token_embd = vocabulary embed_tokens | layers/vocab_parallel_embedding.py | 0.5.5 - 0.33.0
module.output = vocabulary lm_head | layers/vocab_parallel_embedding.py | 0.5.5 - 0.33.0
module.attn_q = column self_attn.qkv_proj 0 | layers/linear.py QKVParallelLinear | 0.5.5 - 0.33.0
module.attn_k = column self_attn.qkv_proj 1 | layers/linear.py QKVParallelLinear | 0.5.5 - 0.33.0
module.attn_v = column self_attn.qkv_proj 2 | layers/linear.py QKVParallelLinear | 0.5.5 - 0.33.0
module.attn_qkv = column self_attn.qkv_proj | layers/linear.py | 0.5.5 - 0.33.0
module.attn_output = row self_attn.o_proj | layers/linear.py RowParallelLinear | 0.5.5 - 0.33.0
module.attn_q_a = replicated self_attn.fused_qkv_a_proj 0 | models/deepseek_v2.py: merged, tensor parallelism off | 0.9.2 - 0.33.0
module.attn_kv_a_mqa = replicated self_attn.fused_qkv_a_proj 1 | models/deepseek_v2.py: merged, tensor parallelism off | 0.9.2 - 0.33.0
module.attn_q_b = column self_attn.q_b_proj | models/deepseek_v2.py | 0.5.5 - 0.33.0
module.attn_kv_b = column self_attn.kv_b_proj | models/deepseek_v2.py | 0.5.5 - 0.33.0
module.attn_k_b = column self_attn.kv_b_proj | models/deepseek_v2.py | 0.5.5 - 0.33.0
module.attn_v_b = column self_attn.kv_b_proj | models/deepseek_v2.py | 0.5.5 - 0.33.0
module.indexer.attn_q_b = replicated self_attn.indexer.wq_b | models/deepseek_v2.py Indexer | 0.11.2 - 0.33.0
module.indexer.attn_k = replicated self_attn.indexer.wk | models/deepseek_v2.py Indexer | 0.11.2 - 0.19.1
module.indexer.proj = replicated self_attn.indexer.weights_proj | models/deepseek_v2.py Indexer | 0.11.2 - 0.19.1
module.ffn_gate = column mlp.gate_up_proj 0 | layers/linear.py MergedColumnParallelLinear | 0.5.5 - 0.33.0
module.ffn_up = column mlp.gate_up_proj 1 | layers/linear.py MergedColumnParallelLinear | 0.5.5 - 0.33.0
module.ffn_down = row mlp.down_proj | layers/linear.py RowParallelLinear: bytes of a row divided, no check of blocks | 0.5.5 - 0.33.0
module.ffn_gate_exps = experts-column mlp.experts.w13 0 | layers/fused_moe/layer.py | 0.5.5 - 0.33.0
module.ffn_up_exps = experts-column mlp.experts.w13 1 | layers/fused_moe/layer.py | 0.5.5 - 0.33.0
module.ffn_down_exps = experts-row mlp.experts.w2 | layers/fused_moe/layer.py: bytes of a row divided, no check of blocks | 0.5.5 - 0.33.0
module.ffn_gate_shexp = column mlp.shared_experts.gate_up_proj 0 | layers/linear.py MergedColumnParallelLinear | 0.5.5 - 0.33.0
module.ffn_up_shexp = column mlp.shared_experts.gate_up_proj 1 | layers/linear.py MergedColumnParallelLinear | 0.5.5 - 0.33.0
module.ffn_down_shexp = row mlp.shared_experts.down_proj | layers/linear.py RowParallelLinear | 0.5.5 - 0.33.0
heads.error = ValueError: Total number of attention heads ({heads}) must be divisible by tensor parallel size ({tp}). | vllm/config/model.py verify_with_parallel_config | 0.5.5 - 0.33.0
column.uneven = asserts | layers/linear.py: assert rows % tp == 0; experts w13: rows // tp | 0.5.5 - 0.23.0
vocabulary.size = config | layers/vocab_parallel_embedding.py: rows must equal the configuration's vocab size | 0.5.5 - 0.11.2
vocabulary.multiple = 64 | vllm#12170, vllm#12230: the padded vocabulary, a multiple of 64, was compared with the rows of the file | 0.5.5 - 0.6.6

# MLA, MTP, files
kv-b = whole | quantization/gguf.py: the map asks for blk.N.attn_kv_b; no release joins attn_k_b and attn_v_b | 0.8.5 - 0.23.0
kv-b.error = RuntimeError: Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the parameters before accessing their attributes. | quantization/gguf.py and the MLA post-processing, run | 0.8.5 - 0.23.0
mtp = skipped | gguf_loader.py: the map is built for num_hidden_layers, the layers after it have no entry | 0.5.5 - 0.33.0
split = first-file | gguf_loader.py: only the file named is read, without a message | 0.5.5 - 0.19.1
replicated = loads | layers/linear.py ReplicatedLinear takes the size of what arrives | 0.5.5 - 0.23.0
config-tied = depends | vllm#11839: KeyError no parameter lm_head.qweight_type, by release and model class | 0.5.5 - 0.23.0
tokenizer = gguf | vllm/transformers_utils/tokenizer.py: built from the GGUF by transformers unless --tokenizer is given | 0.5.5 - 0.23.0
kinds.error = RuntimeError: Unknown gguf model_type: {kind} | gguf_loader.py; vllm#15480 | 0.5.5 - 0.23.0

# memory
kv.mla.16bit = 1152 | vllm/v1/kv_cache_interface.py: (512 + 64) x 2 bytes per token and layer | 0.8.5 - 0.33.0
kv.mla.fp8 = 576 | engines that keep plain fp8 | 0.19.1 - 0.33.0
kv.mla.fp8_ds_mla = 656 | 512 + 16 scale + 128 rope | 0.11.2 - 0.33.0
kv.indexer = 132 | 128 fp8 + 4 scale, every layer with an indexer | 0.11.2 - 0.33.0
kv.block = 64 | "Forcing kv cache block size to 64 for FlashMLASparse backend." | 0.11.2 - 0.33.0
utilization = 0.9 | vllm/config/cache.py gpu_memory_utilization | 0.5.5 - 0.33.0

# the file itself
source vllm 0.5.5 to 0.23.0 and the plugin: gguf_loader.py opens whatever it is given
holds 0.5.5 - 0.33.0
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
