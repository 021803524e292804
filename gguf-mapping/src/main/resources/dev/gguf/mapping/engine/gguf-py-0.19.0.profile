# What the Python package gguf 0.19.0 knows. vLLM, its plugin and SGLang accept no other name or type.
profile gguf-py-0.19.0
engine gguf-py
versions 0.19.0
source gguf 0.19.0: constants.py, imported and listed

architectures = clip llama llama4 deci falcon baichuan grok gpt2 gptj gptneox mpt starcoder refact bert modern-bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert bloom stablelm qwen qwen2 qwen2moe qwen2vl qwen3 qwen3moe qwen3next qwen3vl qwen3vlmoe qwen35 qwen35moe phi2 phi3 phimoe plamo plamo2 plamo3 codeshell orion internlm2 minicpm minicpm3 gemma gemma2 gemma3 gemma3n gemma4 gemma-embedding starcoder2 rwkv6 rwkv6qwen2 rwkv7 arwkv7 mamba mamba2 jamba xverse command-r cohere2 dbrx olmo olmo2 olmoe openelm arctic deepseek deepseek2 deepseek2-ocr chatglm glm4 glm4moe glm-dsa bitnet t5 t5encoder jais jais2 nemotron nemotron_h nemotron_h_moe exaone exaone4 exaone-moe granite granitemoe granitehybrid chameleon wavtokenizer-dec plm bailingmoe bailingmoe2 dots1 arcee afmoe ernie4_5 ernie4_5-moe falcon-h1 hunyuan-moe hunyuan-dense hunyuan_vl smollm3 gpt-oss lfm2 lfm2moe dream smallthinker llada llada-moe seed_oss grovemoe apertus minimax-m2 cogvlm rnd1 pangu-embedded mistral3 mistral4 paddleocr mimo2 step35 llama-embed maincoder kimi-linear
types = F32 F16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K Q8_K IQ2_XXS IQ2_XS IQ3_XXS IQ1_S IQ4_NL IQ3_S IQ2_S IQ4_XS I8 I16 I32 I64 F64 IQ1_M BF16 TQ1_0 TQ2_0 MXFP4 NVFP4 Q1_0
types.error = ValueError: np.uint32({id}) is not a valid GGMLQuantizationType | gguf 0.17.1: gguf_reader.py, run with a file of type MXFP4 | 0.10.0 - 0.19.0
