"""Decodes a file of blocks with PyPI's gguf, once for every line on standard input, and answers with a line.

Arguments: type, file of the blocks, file of the floats that they are said to be.
"""

import sys

import numpy
from gguf import quants
from gguf.constants import GGMLQuantizationType

ROWS = 4096

kind = GGMLQuantizationType[sys.argv[1]]
blocks = numpy.fromfile(sys.argv[2], dtype=numpy.uint8).reshape(ROWS, -1)
if kind == GGMLQuantizationType.F16:
    blocks = blocks.view(numpy.float16)
floats = numpy.fromfile(sys.argv[3], dtype=numpy.float32).reshape(ROWS, -1)
same = numpy.allclose(quants.dequantize(blocks, kind), floats, rtol=1e-6, atol=0)
del floats
print("ready" if same else "the floats differ", flush=True)
for _ in sys.stdin:
    quants.dequantize(blocks, kind)
    print("done", flush=True)
