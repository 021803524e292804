# The main branch of the plugin after its change of 2026-08-30; in no release.
profile vllm-plugin-main
engine vllm-plugin
versions main
host 0.33.0
extends vllm-plugin-0.0.5
source vllm-gguf-plugin, main branch after #124 (2026-08-30); in no release, read in part

rename = companion | weight_utils.py: data keep their names, the type is "weight_type"; every "weight" of the companion's name was replaced until #131 | main
rename.companion = global | vllm-gguf-plugin#131 (open 2026-09-11) | main
types.dequantise = Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K IQ1_M IQ1_S IQ2_XXS IQ2_XS IQ2_S IQ3_XXS IQ3_S IQ4_XS IQ4_NL Q1_0 Q2_0 MXFP4 NVFP4 | kernel_support.py | main
experts.float = loads | kernel_support.py | main
kv-b = whole | weights_adapter/mla.py joins the halves for Kimi-K3 only; vllm-gguf-plugin#111 does not join them | main
