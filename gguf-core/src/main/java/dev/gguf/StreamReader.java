package dev.gguf;

import dev.gguf.internal.ByteSource;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the headers of files that come as streams.
final class StreamReader implements ShardSet.Reader {
  private final HeaderSource source;

  StreamReader(HeaderSource source) {
    this.source = source;
  }

  @Override
  public boolean exists(Path path) {
    try {
      HeaderSource.Stream stream = source.open(name(path));
      if (stream == null) {
        return false;
      }
      stream.bytes().close();
      return true;
    } catch (IOException e) {
      // Reading it will say why.
      return true;
    }
  }

  private static String name(Path path) {
    Path last = path.getFileName();
    return last == null ? "" : last.toString();
  }

  @Override
  public @Nullable GgufFile read(Path path, List<Finding> findings) throws GgufException {
    ByteSource.OfStream bytes;
    Failing stream;
    try {
      HeaderSource.Stream opened = source.open(name(path));
      if (opened == null) {
        throw new GgufException(path + ": there is no such file");
      }
      stream = new Failing(opened.bytes());
      bytes = new ByteSource.OfStream(stream, opened.size().orElse(Long.MAX_VALUE));
    } catch (GgufException e) {
      throw e;
    } catch (IOException e) {
      throw new GgufException(path + ": cannot be opened: " + GgufFile.reason(e), e);
    }
    GgufFile file = Gguf.read(path, bytes, findings);
    try {
      requireEnd(file, bytes, findings);
      bytes.seal(
          file == null || !file.isHeaderComplete() ? -1 : file.dataStart(),
          file == null ? Long.MAX_VALUE : end(file));
    } catch (IOException e) {
      stream.failed(e);
    }
    if (stream.failure != null) {
      told(path, stream, findings);
    }
    return stream.failure instanceof HeaderSource.TooMuchException ? null : file;
  }

  /// Reads what the header passes over at its end, which need not be there.
  private static void requireEnd(
      @Nullable GgufFile file, ByteSource.OfStream bytes, List<Finding> findings)
      throws IOException {
    if (file != null
        && file.isHeaderComplete()
        && bytes.read(file.headerEnd() - 1, ByteBuffer.allocate(1)) == 0) {
      file.complete = false;
      findings.add(
          Finding.of(
                  FileRule.HEADER_CUT,
                  "the file ends after " + bytes.size() + " bytes, inside its header")
              .at(file.path(), bytes.size())
              .withHint("fetch the file again"));
    }
  }

  /// What stopped the stream says more than that it ended there.
  private static void told(Path path, Failing stream, List<Finding> findings) {
    findings.removeIf(finding -> path.equals(finding.file()));
    findings.add(
        Finding.of(
                FileRule.HEADER_CUT,
                "the header cannot be unpacked after byte "
                    + stream.count
                    + ": "
                    + GgufFile.reason(stream.failure))
            .at(path, stream.count)
            .withHint("fetch the file again, or unpack it and look at what comes out"));
  }

  /// Returns the size that the header promises.
  private static long end(GgufFile file) {
    long end = file.dataStart();
    for (Tensor tensor : file.tensors()) {
      long to = tensor.fileOffset() + (tensor.hasExactSize() ? tensor.bytes() : 0);
      end = Math.max(end, to + (-to & (file.alignment() - 1)));
    }
    return end;
  }

  /// Ends where it fails, and keeps why.
  private static final class Failing extends FilterInputStream {
    private long count;
    private @Nullable IOException failure;

    Failing(InputStream in) {
      super(in);
    }

    void failed(IOException e) {
      failure = failure == null ? e : failure;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        int n = super.read(bytes, offset, length);
        count += Math.max(0, n);
        return n;
      } catch (IOException e) {
        failed(e);
        return -1;
      }
    }
  }
}
