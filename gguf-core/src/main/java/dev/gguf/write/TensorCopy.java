package dev.gguf.write;

import dev.gguf.Tensor;
import java.io.IOException;
import java.nio.channels.FileChannel;

/// The bytes of a tensor of another file.
///
/// @param tensor lies inside its file, which stays open
record TensorCopy(Tensor tensor) implements TensorData {
  @Override
  public long size() {
    return tensor.bytes();
  }

  @Override
  public void write(FileChannel channel, long position) throws IOException {
    try (RangeCopier copier = new RangeCopier(bytes -> {})) {
      copier.copy(tensor.file(), from(), to(), channel, position);
    }
  }

  /// Returns the absolute byte offset of the first byte in the file of the tensor.
  long from() {
    return tensor.fileOffset();
  }

  /// Returns the absolute byte offset behind the last byte.
  long to() {
    return tensor.fileOffset() + tensor.bytes();
  }
}
