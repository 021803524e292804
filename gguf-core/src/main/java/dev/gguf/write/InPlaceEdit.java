package dev.gguf.write;

import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/// Other metadata written into a file itself, where its data can stay where it is.
///
/// The old header is kept beside the file, as `NAME.old-header`, until the new one is written and
/// read back.
public final class InPlaceEdit {
  private static final String SUFFIX = ".old-header";

  private final GgufFile file;
  private final byte[] header;
  private final Path kept;

  private InPlaceEdit(GgufFile file, byte[] header) {
    this.file = file;
    this.header = header;
    this.kept = file.path().resolveSibling(file.path().getFileName() + SUFFIX);
  }

  /// Plans an edit.
  ///
  /// @param metadata all pairs that the file will have
  /// @throws GgufException if the data would have to move, or an earlier edit was interrupted
  public static InPlaceEdit of(GgufFile file, Metadata metadata) throws GgufException {
    GgufWriter writer = GgufWriter.of(metadata).version(file.version()).byteOrder(file.byteOrder());
    for (Tensor tensor : file.tensors()) {
      OptionalLong offset = OptionalLong.of(tensor.offset());
      writer.copy(tensor, TensorData.hole(0), offset);
    }
    byte[] header = writer.header();
    long start = writer.dataStart(header.length);
    if (start != file.dataStart() || Edit.alignmentOf(metadata) != file.alignment()) {
      throw new GgufException(
          file.path()
              + ": with this header the data would start at byte "
              + start
              + " in place of "
              + file.dataStart()
              + "; write to another file instead");
    }
    InPlaceEdit edit = new InPlaceEdit(file, header);
    if (Files.exists(edit.kept)) {
      throw new GgufException(
          edit.kept
              + ": is the header that an interrupted edit kept; put it back with"
              + " dd conv=notrunc if="
              + edit.kept.getFileName()
              + " of="
              + file.path().getFileName()
              + ", then delete it");
    }
    return edit;
  }

  /// Returns where the old header is kept while the new one is written.
  public Path keptHeader() {
    return kept;
  }

  /// Writes the new header.
  ///
  /// @throws GgufException if reading or writing fails; the message says where the old header is
  public void write() throws GgufException {
    ByteBuffer old = read(file.dataStart());
    byte[] all = new byte[Math.toIntExact(file.dataStart())];
    System.arraycopy(header, 0, all, 0, header.length);
    // Opened first, so that no old header is kept for a file that may not be written.
    try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
      keep(old);
      write(channel, ByteBuffer.wrap(all));
    } catch (GgufException e) {
      throw e;
    } catch (IOException e) {
      String where = Files.exists(kept) ? "; its old header is in " + kept : "";
      throw new GgufException(
          file.path() + ": cannot be written: " + OutputPath.reason(e) + where, e);
    }
    if (!read(all.length).equals(ByteBuffer.wrap(all))) {
      throw new GgufException(
          file.path() + ": the header read back is not the one written; the old one is in " + kept);
    }
    try {
      Files.delete(kept);
    } catch (IOException e) {
      throw new GgufException(kept + ": cannot be deleted, and is no longer needed", e);
    }
  }

  private void keep(ByteBuffer old) throws GgufException {
    try (FileChannel keep =
        FileChannel.open(kept, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      try {
        write(keep, old);
      } catch (IOException e) {
        // Half a header would be taken for the one to put back.
        Files.deleteIfExists(kept);
        throw e;
      }
    } catch (IOException e) {
      throw new GgufException(
          kept + ": cannot be written, so the file was left as it is: " + OutputPath.reason(e), e);
    }
  }

  private ByteBuffer read(long size) throws GgufException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(size));
    file.read(0, bytes);
    return bytes.flip();
  }

  /// Writes to the disk itself, since the order of the two files is the point.
  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    ByteBuffer rest = bytes.duplicate();
    long at = 0;
    while (rest.hasRemaining()) {
      at += channel.write(rest, at);
    }
    channel.force(true);
  }
}
