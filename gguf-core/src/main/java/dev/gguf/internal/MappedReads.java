package dev.gguf.internal;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.GgufException;
import dev.gguf.GgufFormatException;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import java.nio.ByteBuffer;

/// The one place where reads of mapped data meet a file that changed under them.
public final class MappedReads {
  /// Something that reads the mapped bytes of a tensor.
  @FunctionalInterface
  public interface Read {
    /// Reads.
    ///
    /// @throws GgufException if that fails
    void run() throws GgufException;
  }

  private MappedReads() {}

  /// Runs a read of mapped bytes of the tensor. The fault that the machine raises behind the end of
  /// a file that has been shortened becomes an exception of this library, and so does the silence
  /// with which it gives zeros up to the end of the last page.
  ///
  /// @throws GgufFormatException with the rule [FileRule#FILE_CHANGED] if the file is now too short
  ///   for the tensor
  /// @throws GgufException if the read throws one
  public static void run(Tensor tensor, Read read) throws GgufException {
    try {
      read.run();
    } catch (InternalError fault) {
      if (isWhole(tensor)) {
        throw fault;
      }
      throw shrank(tensor);
    }
    if (!isWhole(tensor)) {
      throw shrank(tensor);
    }
  }

  private static boolean isWhole(Tensor tensor) throws GgufException {
    return !tensor.isInFile()
        || tensor.bytes() == 0
        || tensor.file().read(tensor.fileOffset() + tensor.bytes() - 1, ByteBuffer.allocate(1))
            == 1;
  }

  private static GgufFormatException shrank(Tensor tensor) {
    return new GgufFormatException(
        Finding.of(
                FileRule.FILE_CHANGED,
                "the file shrank while it was read: it no longer holds all of the "
                    + tensor.bytes()
                    + " bytes of "
                    + tensor.name()
                    + ", and had "
                    + tensor.file().size()
                    + " bytes when it was opened")
            .about(Subject.tensor(tensor.name()))
            .at(tensor.file().path(), tensor.fileOffset())
            .withHint("let what writes the file finish, then run again"));
  }
}
