# The plugin for vLLM 0.24 and newer: what holds for every release of it. Facts of the host come from the vLLM that it runs in.
profile vllm-plugin
engine vllm-plugin
versions 0.0.1 - 0.0.5
source vllm-gguf-plugin 0.0.1 to 0.0.5, read; name maps and iterators run

title = vLLM with vllm-gguf-plugin
steps = container kind reference plugin-config causal-table model-type override projector dtype parallel attention readable split alias map rename embedding roles experts fused kv-b unfed replicated kernels cuts order tied config-tied vocabulary suffixless mtp surplus
gguf-py = >=0.17.0
environments = 5.17.0+0.19.0 5.17.0+0.18.0
config = folder | plugin.py _get_gguf_config_source: --hf-config-path, else --tokenizer, else the folder of the file
config.error = Can't get gguf config for {model_type}. | transformers: a model type outside its table of causal language models
probe = none | plugin.py _patch_speculator_probe returns at once for a GGUF reference
architecture.error = RuntimeError: Unknown gguf model_type: {model_type} | weights_adapter/default.py build_name_map; vllm-gguf-plugin#126
unmapped = error | weights_adapter/default.py build_name_map; vllm-gguf-plugin#75
unmapped.every-expert = no
suffix = weight-bias | weights_adapter/default.py build_name_map
unmapped.error = RuntimeError: Failed to map GGUF parameters ({count}): {list} | weights_adapter/default.py
unused-tensors = skipped | weight_utils.py: a tensor without an entry is passed over without a message
rename = global | weight_utils.py: every "weight" in the name; vllm-gguf-plugin#1, #131
rename.plain = F32 F16 BF16 | weight_utils.py
rename.error = KeyError: '{name}' | models/*.py load_weights
stream = tensor-by-tensor | weight_utils.py: type and data together
bf16 = plain | weight_utils.py
plain-modules = F32 F16 BF16
plain-modules.embedding = yes
types.dequantise = Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K IQ1_M IQ1_S IQ2_XXS IQ2_XS IQ2_S IQ3_XXS IQ3_S IQ4_XS IQ4_NL | quantization/utils.py
types.mmvq = Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K IQ1_M IQ1_S IQ2_XXS IQ2_XS IQ2_S IQ3_XXS IQ3_S IQ4_XS IQ4_NL | quantization/utils.py
types.mmq = Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K | quantization/utils.py
types.error = ValueError: Unsupported GGUF quantization type {id} in layer {module} | quantization/linear.py
experts.types = first | quantization/fused_moe.py: one stored type for gate and up, the first one loaded
experts.float.types = F32 F16 BF16 | quantization/fused_moe.py
- alias.minimax_m2
alias.cohere = command-r | weights_adapter/default.py
alias.gemma3_text = gemma3 | weights_adapter: own adapter
alias.deepseek_v2 = deepseek2 experts exp_probs_b | weights_adapter/default.py
alias.deepseek_v3 = deepseek2 experts exp_probs_b | weights_adapter/default.py
alias.qwen2_moe = qwen2moe experts | weights_adapter/default.py
alias.qwen3_moe = qwen3moe experts | weights_adapter/default.py
alias.olmoe = olmoe experts sideload | weights_adapter/default.py
alias.minimax_m2 = minimax-m2 experts exp_probs_b | weights_adapter/default.py
fused.order = shard | quantization/linear.py: in order of shard number
kv-b = whole | weights_adapter: adapters for gemma3 and image models only; vllm-gguf-plugin#111
kv-b.error = RuntimeError: size mismatch, got input ({rank}), mat ({rank}x{rank}), vec (0) | quantization/linear.py, run
replicated.error = AssertionError: Tried to load weights of size torch.Size([{rows}, {bytes}])to a parameter of size torch.Size([0]) | layers/linear.py ReplicatedLinear, run | with vLLM 0.24.0 - 0.33.0
split = named | weight_utils.py: files named -NNNNN-of-NNNNN.gguf beside it; a missing shard is not reported, run
split.tied = every-set | weights_adapter: output.weight is looked for in each shard, run
dtypes = float16 bfloat16 float32
dtype.error = ValueError: torch.{dtype} is not supported for quantization method gguf. Supported dtypes: [{supported}] | vllm/config/vllm.py _get_quantization_config
expert-layout = expert-0 | weights_adapter/default.py: three-dimensional tensors are handed over under expert 0 | 0.0.1 - 0.0.3
suffixless = lost | weights_adapter/default.py: base and suffix are joined with a dot, so a name without a suffix is looked up as "blk.N.name."; cds0987/custom-vllm
config-tied = depends | as in the tree
remote = type with suffix or prefix such as UD-Q4_K_XL | plugin.py
remote.form = prefix | plugin.py
projector = gemma3 | weights_adapter: mmproj.gguf, mmproj-*.gguf, *mmproj*.gguf in the folder of the file; with a GGUF tokenizer refused
projector.error = AssertionError: Could not find mm_proj file for multimodal GGUF model | weights_adapter
column.uneven = loses | quantization/params.py, linear.py: rows // tp, no check
