package dev.gguf.mapping.compare;

import dev.gguf.Finding;
import dev.gguf.Metadata;
import dev.gguf.Severity;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.mapping.MapOptions;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.Missing;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.Parameter;
import dev.gguf.mapping.Spelling;
import dev.gguf.mapping.Target;
import dev.gguf.mapping.checkpoint.Checkpoint;
import dev.gguf.mapping.checkpoint.WeightIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The names and shapes of the parameters that a file feeds beside those of a real checkpoint, both
/// ways, without reading weights.
public final class NameComparison {
  private static final int NAMED = 3;

  /// How names of encoders begin.
  private static final String[] ENCODERS = {
    "vision",
    "visual",
    "audio",
    "embed_vision",
    "embed_audio",
    "mm_projector",
    "multi_modal_projector",
    "image_newline",
    "mlp1.",
    "resampler.",
    "vpm.",
    "apm.",
  };

  private final Mapping mapping;
  private final Style style;
  private final Map<String, long @Nullable []> there;
  private final List<String> extra = new ArrayList<>();
  private final Set<String> extraMtp = new LinkedHashSet<>();
  private final List<String> left = new ArrayList<>();
  private final List<ShapeDifference> shapes = new ArrayList<>();
  private final List<ShapeDifference> padded = new ArrayList<>();
  private final boolean isProjector;
  private boolean mtpOnly = true;
  private int common;

  /// A parameter whose shape is not that of the checkpoint.
  public static final class ShapeDifference {
    private final String parameter;
    private final long[] fed;
    private final long[] wanted;

    private ShapeDifference(String parameter, long[] fed, long[] wanted) {
      this.parameter = parameter;
      this.fed = fed;
      this.wanted = wanted;
    }

    /// Returns the parameter's name in the mapping.
    public String parameter() {
      return parameter;
    }

    /// Returns a copy of the row-major shape that the tensors give.
    public long[] fed() {
      return fed.clone();
    }

    /// Returns a copy of the row-major shape in the checkpoint.
    public long[] wanted() {
      return wanted.clone();
    }

    @Override
    public String toString() {
      return parameter
          + " is "
          + Arrays.toString(fed)
          + " by the file and "
          + Arrays.toString(wanted)
          + " in the checkpoint";
    }
  }

  /// A way to write the same names.
  ///
  /// @param target whose names they are
  /// @param prefix what is replaced at the start of a name; empty to put something before all
  /// @param other what stands there instead
  private record Style(Target target, String prefix, String other) {
    String of(String name) {
      return name.startsWith(prefix) ? other + name.substring(prefix.length()) : name;
    }

    boolean isUsual() {
      return target == Target.HF && prefix.equals(other);
    }

    String words() {
      String names =
          target == Target.HF ? "as released" : "as transformers saves them, with experts stacked";
      return prefix.equals(other)
          ? names
          : names
              + ", with "
              + (other.isEmpty() ? "nothing" : other)
              + " in place of "
              + (prefix.isEmpty() ? "nothing" : prefix)
              + " at their start";
    }
  }

  private NameComparison(Mapping mapping, Style style, Map<String, long @Nullable []> there) {
    this.mapping = mapping;
    this.style = style;
    this.there = there;
    this.isProjector = mapping.architecture().equals("clip");
  }

  /// Compares.
  ///
  /// @param map of the file's architecture
  /// @param metadata of the file
  /// @param tensors of the file
  /// @param there the parameters of the checkpoint with their row-major shapes, null where a shape
  ///   is not known
  public static NameComparison of(
      NameMap map, Metadata metadata, List<Tensor> tensors, Map<String, long @Nullable []> there) {
    List<NameComparison> candidates = new ArrayList<>();
    int bestHits = -1;
    for (Target target : new Target[] {Target.HF, Target.TRANSFORMERS}) {
      Mapping mapping = map.map(metadata, tensors, target, MapOptions.WITH_MTP);
      List<String> names = mapping.parameterNames();
      for (Style style : styles(map, target)) {
        int hits = 0;
        for (String name : names) {
          hits += there.containsKey(style.of(name)) ? 1 : 0;
        }
        if (hits > bestHits) {
          candidates.clear();
          bestHits = hits;
        }
        if (hits == bestHits) {
          candidates.add(new NameComparison(mapping, style, there));
        }
      }
    }
    return fewestShapes(candidates);
  }

  /// Of spellings whose names fit equally well, the shapes decide, then the order.
  private static NameComparison fewestShapes(List<NameComparison> candidates) {
    NameComparison best = null;
    for (NameComparison candidate : candidates) {
      candidate.compare();
      if (best == null || candidate.shapes.size() < best.shapes.size()) {
        best = candidate;
      }
      if (best.shapes.isEmpty()) {
        break;
      }
    }
    if (best == null) {
      throw new IllegalStateException("there is always the usual spelling");
    }
    return best;
  }

  private static List<Style> styles(NameMap map, Target target) {
    List<Style> styles = new ArrayList<>();
    styles.add(new Style(target, "", ""));
    for (Spelling spelling : map.spellings()) {
      styles.add(new Style(target, spelling.prefix(), spelling.other()));
    }
    styles.add(new Style(target, "model.", "model.language_model."));
    styles.add(new Style(target, "", "language_model."));
    styles.add(new Style(target, "model.", "language_model."));
    styles.add(new Style(target, "model.", ""));
    styles.add(new Style(target, "", "model."));
    styles.add(new Style(target, "transformer.", ""));
    styles.add(new Style(target, "", "transformer."));
    return styles;
  }

  private void compare() {
    Set<String> fed = new HashSet<>();
    for (MappedTensors entry : mapping.mapped()) {
      mtpOnly &= entry.layer().orElse(Integer.MAX_VALUE) >= mapping.mainBlocks();
      for (Parameter parameter : entry.parameters()) {
        for (long expert = 0; expert < parameter.count(); expert++) {
          String name = parameter.name(expert);
          String spelled = style.of(name);
          if (!there.containsKey(spelled)) {
            extra.add(name);
            if (entry.layer().orElse(-1) >= mapping.mainBlocks()) {
              extraMtp.add(name);
            }
            continue;
          }
          common++;
          fed.add(spelled);
          long[] wanted = there.get(spelled);
          if (wanted != null && !isSameShape(parameter.shape(), wanted)) {
            ShapeDifference shape = new ShapeDifference(name, parameter.shape(), wanted);
            (isPadded(entry, parameter.shape(), wanted) ? padded : shapes).add(shape);
          }
        }
      }
    }
    for (String name : there.keySet()) {
      if (!fed.contains(name) && !isBuffer(name)) {
        left.add(name);
      }
    }
  }

  /// Returns whether two shapes are the same but for axes of length 1.
  static boolean isSameShape(long[] one, long[] other) {
    return Arrays.equals(squeezed(one), squeezed(other));
  }

  /// Returns whether an embedding has more rows than in the checkpoint, and is the same but for
  /// them: converters fill it up to the size of the vocabulary.
  static boolean isPadded(MappedTensors entry, long[] fed, long[] wanted) {
    return entry.sources().getFirst().name().endsWith("token_embd.weight")
        && fed.length > 1
        && fed.length == wanted.length
        && fed[0] > wanted[0]
        && Arrays.equals(fed, 1, fed.length, wanted, 1, wanted.length);
  }

  private static long[] squeezed(long[] shape) {
    long[] axes = new long[shape.length];
    int count = 0;
    for (long n : shape) {
      if (n != 1) {
        axes[count++] = n;
      }
    }
    return Arrays.copyOf(axes, count);
  }

  /// Tables that models compute themselves, and scales of quantised checkpoints: not parameters.
  private boolean isBuffer(String name) {
    for (String scale : new String[] {"_scale_inv", "_scale"}) {
      if (name.endsWith(scale)
          && there.containsKey(name.substring(0, name.length() - scale.length()))) {
        return true;
      }
    }
    return name.endsWith("rotary_emb.inv_freq")
        || name.endsWith(".attn.bias")
        || name.endsWith(".attn.masked_bias")
        || name.endsWith(".input_scale")
        || name.endsWith(".activation_scale");
  }

  /// Returns the mapping whose names fit the checkpoint: as released, or as transformers saves
  /// them. MTP layers belong to the target.
  public Mapping mapping() {
    return mapping;
  }

  /// Returns how the checkpoint writes the name of a parameter of [#mapping()], or empty if it does
  /// not have it.
  public Optional<String> inCheckpoint(String parameter) {
    String spelled = style.of(parameter);
    return there.containsKey(spelled) ? Optional.of(spelled) : Optional.empty();
  }

  /// Returns the number of parameters that are on both sides.
  public int common() {
    return common;
  }

  /// Returns the parameters that the file feeds and the checkpoint does not have.
  public List<String> extra() {
    return List.copyOf(extra);
  }

  /// Returns the parameters of the checkpoint that no tensor feeds.
  public List<String> left() {
    return List.copyOf(left);
  }

  /// Returns the parameters with another shape than in the checkpoint.
  public List<ShapeDifference> shapes() {
    return List.copyOf(shapes);
  }

  /// Returns what is to be said about names and shapes.
  ///
  /// @param where what the names were read from, such as the path of an index
  public List<Finding> findings(String where) {
    List<Finding> findings = new ArrayList<>();
    if (!style.isUsual() && common > 0) {
      findings.add(
          Finding.of(
              CompareRule.INDEX_SPELLING,
              where + " names parameters " + style.words() + "; both count as the same parameter"));
    }
    for (ShapeDifference shape : shapes.subList(0, Math.min(NAMED, shapes.size()))) {
      findings.add(
          Finding.of(CompareRule.COMPARE_SHAPE, shape.toString())
              .about(parameter(shape.parameter)));
    }
    if (shapes.size() > NAMED) {
      findings.add(
          Finding.of(
              CompareRule.COMPARE_SHAPE,
              shapes.size() - NAMED + " more parameters have other shapes"));
    }
    for (ShapeDifference shape : padded) {
      findings.add(
          Finding.of(
                  CompareRule.COMPARE_SHAPE,
                  shape + ": filled up to the size of the vocabulary, as converters do")
              .withSeverity(Severity.INFO)
              .about(parameter(shape.parameter)));
    }
    List<String> main = new ArrayList<>(extra);
    main.removeAll(extraMtp);
    String absent = "fed by the file and absent from " + where;
    group(findings, CompareRule.COMPARE_EXTRA, true, main, absent);
    group(findings, CompareRule.COMPARE_EXTRA, false, extraMtp, "of MTP layers " + absent);
    List<String> layers = new ArrayList<>();
    List<String> parts = new ArrayList<>();
    List<String> others = new ArrayList<>();
    List<String> needed = new ArrayList<>();
    Set<String> missing = missing();
    for (String name : left) {
      if (missing.contains(name)) {
        needed.add(name);
      } else {
        // A part that lies beside the language model has layers of its own.
        (isProjector != isEncoder(name) ? parts : isOtherLayer(name) ? layers : others).add(name);
      }
    }
    group(
        findings,
        CompareRule.COMPARE_MISSING,
        true,
        needed,
        "of " + where + " that the model needs and no tensor feeds");
    group(
        findings,
        CompareRule.COMPARE_LEFT,
        false,
        layers,
        "of layers that are not those of the file");
    group(
        findings,
        CompareRule.COMPARE_LEFT,
        false,
        parts,
        isProjector
            ? "of the language model, which a projector's file does not hold"
            : "of parts that a language model's file does not hold");
    group(
        findings, CompareRule.COMPARE_LEFT, true, others, "of " + where + " that no tensor feeds");
    return findings;
  }

  /// Returns the parameters that the mapping misses, ranges written out, as the checkpoint names
  /// them.
  private Set<String> missing() {
    Set<String> names = new HashSet<>();
    for (Missing missing : mapping.missing()) {
      String name = missing.parameter();
      int open = name.indexOf("{0..");
      int close = open < 0 ? -1 : name.indexOf('}', open);
      if (close < 0) {
        names.add(style.of(name));
        continue;
      }
      long last = Long.parseLong(name.substring(open + 4, close));
      for (long expert = 0; expert <= last; expert++) {
        names.add(style.of(name.substring(0, open) + expert + name.substring(close + 1)));
      }
    }
    return names;
  }

  private static Subject parameter(String name) {
    return new Subject(Subject.Kind.PARAMETER, name);
  }

  private static void group(
      List<Finding> findings,
      CompareRule rule,
      boolean weighs,
      Collection<String> names,
      String what) {
    if (names.isEmpty()) {
      return;
    }
    String first = names.iterator().next();
    boolean tied = names.size() == 1 && first.equals("lm_head.weight");
    Finding finding =
        Finding.of(
                rule,
                names.size()
                    + (names.size() == 1 ? " parameter " : " parameters ")
                    + what
                    + ", first "
                    + first)
            .about(parameter(first));
    findings.add(weighs && !tied ? finding : finding.withSeverity(Severity.INFO));
  }

  /// Returns whether a name has a number after `layers.` that is no block of the file: above those
  /// that it has or, where it has MTP layers alone, below.
  private boolean isOtherLayer(String name) {
    int at = name.indexOf("layers.");
    int end = at < 0 ? -1 : name.indexOf('.', at + 7);
    int layer = end < 0 ? -1 : Tensor.layer("blk." + name.substring(at + 7, end) + ".").orElse(-1);
    return layer >= mapping.blocks()
        || name.startsWith("mtp.")
        || mtpOnly && layer >= 0 && layer < mapping.mainBlocks();
  }

  /// Returns whether a parameter is of an encoder of images or sounds, or of the way from it to the
  /// language model.
  private static boolean isEncoder(String name) {
    String own = name;
    for (String start : new String[] {"model.", "thinker."}) {
      own = own.startsWith(start) ? own.substring(start.length()) : own;
    }
    for (String part : ENCODERS) {
      if (own.startsWith(part)) {
        return true;
      }
    }
    return false;
  }

  /// Returns the parameters of a checkpoint with their shapes, as [#of] takes them.
  public static Map<String, long @Nullable []> names(Checkpoint checkpoint) {
    Map<String, long @Nullable []> names = new LinkedHashMap<>();
    checkpoint
        .index()
        .ifPresent(index -> index.parameters().forEach(name -> names.put(name, null)));
    checkpoint.parameters().forEach(p -> names.put(p.name(), p.shape()));
    return names;
  }

  /// Returns the parameters of a weight index, as [#of] takes them: without shapes.
  public static Map<String, long @Nullable []> names(WeightIndex index) {
    Map<String, long @Nullable []> names = new LinkedHashMap<>();
    index.parameters().forEach(name -> names.put(name, null));
    return names;
  }
}
