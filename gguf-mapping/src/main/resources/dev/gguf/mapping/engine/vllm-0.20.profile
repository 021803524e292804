# vLLM 0.20: split sets (vllm#36965), MiniMax-M2, wk and weights_proj of the indexer in one float module.
profile vllm-0.20
engine vllm
versions 0.20.0 - 0.20.2
extends vllm-0.19
source vllm 0.20.0, 0.20.2, read

split = named | gguf_loader.py: files named -NNNNN-of-NNNNN.gguf beside it; a missing shard is not reported; vllm#36965 | 0.20.0 - 0.23.0
split.tied = every-set | gguf_loader.py: output.weight is looked for in each shard, so every split set is declared tied, run | 0.20.0 - 0.23.0
split.tied.ignored = deepseek2 glm-dsa | models/deepseek_v2.py does not tie | 0.20.0 - 0.28.0
alias.minimax_m2 = minimax-m2 experts exp_probs_b | gguf_loader.py; vllm#36965 | 0.20.0 - 0.23.0
float-only.indexer.proj = self_attn.indexer.wk_weights_proj | models/deepseek_v2.py: wk_weights_proj, quant_config None | 0.20.0 - 0.33.0
float-only.indexer.attn_k = self_attn.indexer.wk_weights_proj | models/deepseek_v2.py: wk_weights_proj, quant_config None | 0.20.0 - 0.33.0
module.indexer.attn_k = replicated self_attn.indexer.wk_weights_proj 0 | models/deepseek_v2.py | 0.20.0 - 0.33.0
module.indexer.proj = replicated self_attn.indexer.wk_weights_proj 1 | models/deepseek_v2.py | 0.20.0 - 0.33.0
remote = type with suffix or prefix such as UD-Q4_K_XL | vllm/transformers_utils | 0.20.0 - 0.23.0
remote.form = prefix | vllm/transformers_utils | 0.20.0 - 0.23.0
