package dev.gguf.mapping.check;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Inspection;
import dev.gguf.check.FileCheck;
import dev.gguf.check.Report;
import dev.gguf.mapping.MapOptions;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.NameMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The launch gate: is the file sound, is every tensor accounted for, is every parameter fed.
public final class ModelCheck {
  private ModelCheck() {}

  /// Judges a file, or with any file of a split set the whole set.
  ///
  /// @throws GgufException if the path is no readable file
  public static ModelReport check(Path path, CheckOptions options) throws GgufException {
    try (Inspection inspection = Gguf.inspect(path)) {
      return check(inspection, options);
    }
  }

  /// Judges what an inspection has read. The report of [FileCheck] is part of the result.
  public static ModelReport check(Inspection inspection, CheckOptions options) {
    List<Finding> findings = new ArrayList<>(FileCheck.check(inspection).findings());
    Gguf gguf = inspection.gguf().orElse(null);
    boolean named = gguf != null && OwnRules.check(gguf, options.config(), findings);
    if (!named) {
      return new ModelReport(new Report(findings), Optional.empty());
    }
    NameMap map = NameMap.forArchitecture(gguf.architecture().orElse("")).orElse(null);
    if (map == null) {
      return new ModelReport(new Report(findings), Optional.empty());
    }
    Mapping mapping =
        map.map(gguf.metadata(), gguf.tensors(), options.target(), new MapOptions(options.mtp()));
    MappingRules.check(gguf, map, mapping, options.config(), findings);
    return new ModelReport(new Report(findings), Optional.of(mapping));
  }
}
