# ik_llama.cpp as of commit 8337e4cd, August 2026; read.
profile ik_llama.cpp
engine ik_llama.cpp
versions 2026-08
extends llama.cpp
source ik_llama.cpp 8337e4cd (2026-08), read

title = ik_llama.cpp
architectures = llama k2-horizon llama4 deci falcon grok gpt2 gptj gptneox mpt baichuan starcoder refact bert nomic-bert jina-bert-v2 bloom stablelm qwen qwen2 qwen2moe qwen2vl qwen3 qwen3moe qwen3next qwen3vl qwen3vlmoe qwen35moe qwen35 qwen4exp mellum phi2 phi3 plamo codeshell orion internlm2 minicpm gemma gemma2 gemma3 starcoder2 mamba xverse command-r dbrx olmo openelm arctic deepseek2 deepseek4 chatglm glm4 glm4moe bitnet bitnet-25 bitnet-b1.58 t5 t5encoder jais granite granitemoe cohere2 cohere2_moe dots1 ernie4_5 ernie4_5-moe hunyuan-moe gpt-oss bailingmoe2 bailingmoe3 minimax-m2 minimax-m3 smollm3 mistral3 mimo2 seed_oss step35 laguna glm-dsa glm5next mistral4 gemma4 gemma4_mtp dflash dflash-draft gemma4-assistant openpangu muse-glimmer lfm2 | ikawrakow/ik_llama.cpp src/llama-arch.cpp, 0a9ff125 (2026)
types.readable = F32 F16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K Q8_K IQ2_XXS IQ2_XS IQ3_XXS IQ1_S IQ4_NL IQ3_S IQ2_S IQ4_XS I8 I16 I32 I64 F64 IQ1_M BF16 MXFP4 | ggml.h: ggml's ids to 30, MXFP4 39
types.fork = ik_llama.cpp | ggml.h: its own ids from 97 up
since.glm-dsa = 2026-02-15 | ikawrakow/ik_llama.cpp#1268
finding.type-of-fork = allowed
since.other = unknown: in the list of 2026-08; since when is not established | its own list, older for most families
- since.glm4moe
- since.gpt-oss
- since.minimax-m2
- since.qwen35
- type-since.MXFP4
- mtp.loaded
- type-since.NVFP4
- type-since.Q1_0
- type-since.Q2_0
- companions
- refuses.deepseek2
