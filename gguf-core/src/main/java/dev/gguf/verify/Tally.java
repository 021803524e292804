package dev.gguf.verify;

import dev.gguf.Tensor;

/// What is known so far about one tensor. Parts may be added in any order: everything is a sum, a
/// first place, or a yes.
final class Tally {
  static final long NOWHERE = Long.MAX_VALUE;

  long read;
  long holes;
  boolean hasContent;
  long nan;
  long firstNan = NOWHERE;
  long inf;
  long firstInf = NOWHERE;
  long strict;
  long firstStrict = NOWHERE;
  long wide;
  long firstWide = NOWHERE;
  long implausible;
  long firstImplausible = NOWHERE;
  long zeroPages;
  long firstZeroPage = NOWHERE;

  void add(Tally part) {
    read += part.read;
    holes += part.holes;
    hasContent |= part.hasContent;
    nan += part.nan;
    firstNan = Math.min(firstNan, part.firstNan);
    inf += part.inf;
    firstInf = Math.min(firstInf, part.firstInf);
    strict += part.strict;
    firstStrict = Math.min(firstStrict, part.firstStrict);
    wide += part.wide;
    firstWide = Math.min(firstWide, part.firstWide);
    implausible += part.implausible;
    firstImplausible = Math.min(firstImplausible, part.firstImplausible);
    zeroPages += part.zeroPages;
    firstZeroPage = Math.min(firstZeroPage, part.firstZeroPage);
  }

  /// Adds what is wrong with a block.
  void fault(int faults, long block) {
    if ((faults & Judge.NAN) != 0) {
      nan++;
      firstNan = Math.min(firstNan, block);
    }
    if ((faults & Judge.INF) != 0) {
      inf++;
      firstInf = Math.min(firstInf, block);
    }
    if ((faults & Judge.STRICT) != 0) {
      strict++;
      firstStrict = Math.min(firstStrict, block);
    }
    if ((faults & Judge.WIDE) != 0) {
      wide++;
      firstWide = Math.min(firstWide, block);
    }
  }

  /// Returns whether every byte that is stored has been read and is zero.
  boolean isZero(Tensor tensor) {
    return read > 0 && !hasContent && read + holes >= tensor.bytes();
  }
}
