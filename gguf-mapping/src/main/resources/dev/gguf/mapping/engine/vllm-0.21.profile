# vLLM 0.21 to 0.23: indexers on the layers of the schedule only. The last releases with the loader in the tree.
profile vllm-0.21
engine vllm
versions 0.21.0 - 0.23.0
extends vllm-0.20
source vllm 0.21.0, 0.22.1, 0.23.0, read

indexer.layers = schedule | models/deepseek_v2.py: index_topk_freq, index_topk_pattern, index_skip_topk_offset | 0.21.0 - 0.33.0
