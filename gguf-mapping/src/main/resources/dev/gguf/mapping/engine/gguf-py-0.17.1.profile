# What the Python package gguf 0.17.1 knows. vLLM, its plugin and SGLang accept no other name or type.
profile gguf-py-0.17.1
engine gguf-py
versions 0.17.1
source gguf 0.17.1: constants.py, imported and listed

architectures = clip llama llama4 deci falcon baichuan grok gpt2 gptj gptneox mpt starcoder refact bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 bloom stablelm qwen qwen2 qwen2moe qwen2vl qwen3 qwen3moe phi2 phi3 phimoe plamo codeshell orion internlm2 minicpm minicpm3 gemma gemma2 gemma3 starcoder2 rwkv6 rwkv6qwen2 rwkv7 arwkv7 mamba xverse command-r cohere2 dbrx olmo olmo2 olmoe openelm arctic deepseek deepseek2 chatglm glm4 bitnet t5 t5encoder jais nemotron exaone granite granitemoe chameleon wavtokenizer-dec plm bailingmoe dots1 arcee
types = F32 F16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K Q8_K IQ2_XXS IQ2_XS IQ3_XXS IQ1_S IQ4_NL IQ3_S IQ2_S IQ4_XS I8 I16 I32 I64 F64 IQ1_M BF16 TQ1_0 TQ2_0
types.error = ValueError: np.uint32({id}) is not a valid GGMLQuantizationType | gguf 0.17.1: gguf_reader.py, run with a file of type MXFP4 | 0.10.0 - 0.19.0
