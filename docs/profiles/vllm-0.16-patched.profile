# vLLM 0.16 as it was patched to start GLM-5 on eight cards of compute capability 12.0.
# Only what differs from the release is stated; use it with
#   gguf preflight GLM-5.gguf --profile docs/profiles/vllm-0.16-patched.profile --dtype float16 …
profile vllm-0.16-patched
engine vllm
versions 0.16.0 patched
extends vllm-0.16
source local patches of vLLM 0.16.0rc2.dev313 (2026-02)

# maybe_override_with_speculators passes over GGUF files, the configuration comes from --hf-config-path
probe = none
transformers = 5 | installed although 0.16.0 asks for <5
environments = 5.17.0+0.18.0

# the alias, the experts and the router's bias by hand; parameters without a GGUF name are tolerated
alias.glm_moe_dsa = glm-dsa experts exp_probs_b
unmapped = tolerated

# only the suffix ".weight" is renamed, and the indexer's weights_proj is decoded to float
rename = suffix
- float-only.indexer.proj

# attn_k_b and attn_v_b are joined per head and decoded, shards are sorted by their number
kv-b = joined
fused.order = shard

# a sparse attention for compute capability 12.0 that takes float16
sparse.TRITON_MLA_SPARSE = capability 12 dtypes float16,bfloat16
