package dev.gguf.mapping.compare;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.MetadataException;
import dev.gguf.Tensor;
import dev.gguf.check.Report;
import dev.gguf.mapping.KvBComparison;
import dev.gguf.mapping.KvBFingerprint;
import dev.gguf.mapping.KvBProjection;
import dev.gguf.mapping.Tolerance;
import dev.gguf.mapping.checkpoint.Checkpoint;
import dev.gguf.mapping.checkpoint.CheckpointParameter;
import dev.gguf.quant.TensorValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Is each `attn_k_b` / `attn_v_b` pair of a file complete and right, alone or beside the
/// checkpoint that it was made from.
public final class KvBCheck {
  private final Gguf gguf;
  private final @Nullable Checkpoint checkpoint;
  private final SortedMap<Integer, KvBTensors> tensors;
  private final Map<Integer, CheckpointParameter> references;
  private final Map<Integer, KvBFingerprint> prints = new LinkedHashMap<>();
  private final GroupedFindings findings = new GroupedFindings();
  private final List<KvBLayer> layers = new ArrayList<>();
  private @Nullable KvBProjection projection;

  /// What a check says about a file.
  ///
  /// @param layers of the file that have latent attention, by number
  /// @param projection the sizes of the heads, or null if the metadata do not give them
  /// @param report the findings
  public record Result(List<KvBLayer> layers, @Nullable KvBProjection projection, Report report) {}

  /// Is told of every layer that has been judged.
  public interface Progress {
    /// Called after a layer.
    ///
    /// @param done layers judged so far
    /// @param all layers to judge
    void layer(int done, int all);
  }

  private KvBCheck(Gguf gguf, @Nullable Checkpoint checkpoint) {
    this.gguf = gguf;
    this.checkpoint = checkpoint;
    this.tensors = KvBTensors.of(gguf.tensors());
    this.references = checkpoint == null ? Map.of() : references(checkpoint);
  }

  /// Judges a file.
  ///
  /// @param checkpoint to compare with, or null to look at names and dimensions alone
  /// @param layer the only layer to judge, or empty for all
  public static Result check(
      Gguf gguf, @Nullable Checkpoint checkpoint, OptionalInt layer, Progress progress) {
    KvBCheck check = new KvBCheck(gguf, checkpoint);
    check.run(layer, progress);
    List<Finding> findings = new ArrayList<>(check.findings.list());
    if (checkpoint != null && !check.tensors.isEmpty() && check.references.isEmpty()) {
      findings.add(ModelComparison.nothing(gguf, checkpoint, "it has no kv_b_proj in any layer"));
    }
    return new Result(List.copyOf(check.layers), check.projection, new Report(findings));
  }

  /// Finds the parameters `…layers.N.self_attn.kv_b_proj.weight`, whatever comes before.
  private static Map<Integer, CheckpointParameter> references(Checkpoint checkpoint) {
    Map<Integer, CheckpointParameter> references = new TreeMap<>();
    for (CheckpointParameter parameter : checkpoint.parameters()) {
      String name = parameter.name();
      String suffix = ".self_attn.kv_b_proj.weight";
      int start = name.lastIndexOf("layers.");
      if (start < 0 || !name.endsWith(suffix) || start > 0 && name.charAt(start - 1) != '.') {
        continue;
      }
      String number =
          name.substring(start + 7, Math.max(start + 7, name.length() - suffix.length()));
      Tensor.layer("blk." + number + ".").ifPresent(at -> references.putIfAbsent(at, parameter));
    }
    return references;
  }

  private void run(OptionalInt only, Progress progress) {
    if (tensors.isEmpty()) {
      String architecture = gguf.architecture().orElse("a file without an architecture");
      findings.add(
          CompareRule.KVB_NONE,
          OptionalInt.empty(),
          architecture + " has no kv_b_proj, whole or in halves");
      return;
    }
    try {
      projection = KvBProjection.from(gguf.metadata());
    } catch (MetadataException | IllegalArgumentException e) {
      findings.add(CompareRule.KVB_SIZES, OptionalInt.empty(), String.valueOf(e.getMessage()));
    }
    int all = only.isPresent() ? 1 : tensors.size();
    for (KvBTensors layer : tensors.values()) {
      if (only.isEmpty() || only.getAsInt() == layer.layer) {
        layers.add(judge(layer));
        progress.layer(layers.size(), all);
      }
    }
  }

  private KvBLayer judge(KvBTensors layer) {
    if (!layer.absent().isEmpty() && layer.kvB == null) {
      String absent = String.join(" and ", layer.absent());
      findings.add(
          CompareRule.KVB_INCOMPLETE,
          OptionalInt.of(layer.layer),
          absent + (layer.absent().size() == 1 ? " is" : " are") + " absent");
      return layer(layer, KvBLayer.State.INCOMPLETE, absent + " absent", null);
    }
    KvBProjection sizes = projection;
    if (sizes == null) {
      return layer(layer, KvBLayer.State.WRONG, "the sizes of the heads are not given", null);
    }
    boolean undivided = !layer.absent().isEmpty();
    String shape = shape(layer, sizes, undivided);
    if (shape != null) {
      findings.add(CompareRule.KVB_SHAPE, OptionalInt.of(layer.layer), shape);
      return layer(layer, KvBLayer.State.WRONG, shape, null);
    }
    describe(layer, undivided);
    CheckpointParameter reference = references.get(layer.layer);
    if (checkpoint == null) {
      return layer(layer, KvBLayer.State.RIGHT, null, null);
    }
    if (reference == null) {
      findings.add(
          CompareRule.KVB_REFERENCE,
          OptionalInt.of(layer.layer),
          "the checkpoint has no self_attn.kv_b_proj.weight for it");
      return layer(layer, KvBLayer.State.RIGHT, null, null);
    }
    try {
      return compare(layer, sizes, undivided, checkpoint, reference);
    } catch (GgufException e) {
      String text = String.valueOf(e.getMessage());
      findings.add(CompareRule.KVB_UNREADABLE, OptionalInt.of(layer.layer), text);
      return layer(layer, KvBLayer.State.WRONG, text, null);
    }
  }

  private static KvBLayer layer(
      KvBTensors of,
      KvBLayer.State state,
      @Nullable String diagnosis,
      @Nullable KvBComparison comparison) {
    return new KvBLayer(of.layer, of.kB, of.vB, of.kvB, state, diagnosis, comparison);
  }

  private static @Nullable String shape(KvBTensors layer, KvBProjection sizes, boolean undivided) {
    StringBuilder text = new StringBuilder();
    if (undivided) {
      Tensor kvB = layer.kvB;
      if (kvB != null && !sizes.isUndivided(kvB)) {
        wrong(text, kvB, new long[] {sizes.rank(), sizes.rows()}, "");
      }
      return text.isEmpty() ? null : text.toString();
    }
    Tensor kB = layer.kB;
    Tensor vB = layer.vB;
    if (kB != null && !sizes.isKey(kB)) {
      boolean turned =
          Arrays.equals(kB.ne(), new long[] {sizes.rank(), sizes.nope(), sizes.heads()});
      wrong(text, kB, sizes.keyNe(), turned ? ": it is not transposed" : "");
    }
    if (vB != null && !sizes.isValue(vB)) {
      wrong(text, vB, sizes.valueNe(), "");
    }
    return text.isEmpty() ? null : text.toString();
  }

  private static void wrong(StringBuilder text, Tensor tensor, long[] expected, String why) {
    text.append(text.isEmpty() ? "" : "; ")
        .append(tensor.name())
        .append(" has ne = ")
        .append(Arrays.toString(tensor.ne()))
        .append(", ")
        .append(Arrays.toString(expected))
        .append(" is expected")
        .append(why);
  }

  /// Tells what is sound, but not the usual.
  private void describe(KvBTensors layer, boolean undivided) {
    OptionalInt number = OptionalInt.of(layer.layer);
    Tensor kB = layer.kB;
    Tensor vB = layer.vB;
    if (undivided) {
      findings.add(
          CompareRule.KVB_UNDIVIDED,
          number,
          "the undivided attn_kv_b of older files stands for attn_k_b and attn_v_b");
      return;
    }
    if (kB == null || vB == null) {
      return;
    }
    if (layer.kvB != null) {
      findings.add(
          CompareRule.KVB_FORM,
          number,
          "the undivided attn_kv_b stands beside the halves, as ik_llama.cpp's converter writes"
              + " them; llama.cpp refuses the third tensor");
    }
    if (kB.dimensions() < 3 || vB.dimensions() < 3) {
      findings.add(
          CompareRule.KVB_FORM,
          number,
          "halves with two dimensions, as ik_llama.cpp's converter writes them; llama.cpp refuses"
              + " a two-dimensional attn_k_b");
    }
    if (!kB.type().equals(vB.type())) {
      findings.add(
          CompareRule.KVB_TYPES, number, "attn_k_b is " + kB.type() + ", attn_v_b " + vB.type());
    }
    if (!kB.file().path().equals(vB.file().path())) {
      findings.add(
          CompareRule.KVB_SHARDS,
          number,
          "attn_k_b is in "
              + kB.file().path().getFileName()
              + ", attn_v_b in "
              + vB.file().path().getFileName());
    }
  }

  private KvBLayer compare(
      KvBTensors layer,
      KvBProjection sizes,
      boolean undivided,
      Checkpoint from,
      CheckpointParameter reference)
      throws GgufException {
    if (!Arrays.equals(reference.shape(), sizes.shape())) {
      String text =
          reference.name()
              + " of the checkpoint has the shape "
              + Arrays.toString(reference.shape())
              + ", the metadata say "
              + Arrays.toString(sizes.shape())
              + " ("
              + sizes
              + ")";
      findings.add(CompareRule.KVB_SHAPE, OptionalInt.of(layer.layer), text);
      return layer(layer, KvBLayer.State.WRONG, text, null);
    }
    KvBProjection.Heads wanted = heads(from, reference, sizes);
    Tensor kvB = layer.kvB;
    Tensor kB = undivided ? kvB : layer.kB;
    Tensor vB = undivided ? kvB : layer.vB;
    if (kB == null
        || vB == null
        || !TensorValues.isDecodable(kB)
        || !TensorValues.isDecodable(vB)) {
      String text =
          "values of "
              + (kB == null ? "?" : kB.type())
              + " and "
              + (vB == null ? "?" : vB.type())
              + " cannot be decoded";
      findings.add(CompareRule.KVB_UNREADABLE, OptionalInt.of(layer.layer), text);
      return layer(layer, KvBLayer.State.WRONG, text, null);
    }
    KvBProjection.Heads keys = undivided ? keysOf(kB, sizes) : sizes.keys(kB);
    KvBProjection.Heads values = undivided ? valuesOf(vB, sizes) : sizes.values(vB);
    Tolerance keyTolerance = Tolerance.of(kB.type());
    Tolerance valueTolerance = Tolerance.of(vB.type());
    KvBComparison comparison =
        sizes.check(keys, values, wanted, keyTolerance, valueTolerance, Map.of());
    if (comparison.fault().isPresent()) {
      // Only now is it worth looking at the other layers of the checkpoint.
      comparison =
          sizes.check(
              keys, values, wanted, keyTolerance, valueTolerance, others(from, sizes, layer.layer));
      findings.add(
          CompareRule.KVB_WRONG,
          OptionalInt.of(layer.layer),
          comparison.diagnosis() + number(comparison.maxError()));
      return layer(layer, KvBLayer.State.WRONG, comparison.diagnosis(), comparison);
    }
    return layer(layer, KvBLayer.State.RIGHT, null, comparison);
  }

  private static String number(double maxError) {
    return " (largest error " + (float) maxError + ")";
  }

  private static KvBProjection.Heads heads(
      Checkpoint from, CheckpointParameter reference, KvBProjection sizes) {
    int length = sizes.elements(0, 1);
    return (head, into, at) -> from.read(reference, (long) head * length, length, into, at);
  }

  /// The key rows of an undivided tensor, transposed as a half of its own would have them.
  private static KvBProjection.Heads keysOf(Tensor kvB, KvBProjection sizes) {
    float[] values = new float[sizes.value() * sizes.rank()];
    float[] keys = new float[sizes.nope() * sizes.rank()];
    return (head, into, at) -> {
      sizes.split(kvB, head, head + 1, keys, values);
      System.arraycopy(keys, 0, into, at, keys.length);
    };
  }

  private static KvBProjection.Heads valuesOf(Tensor kvB, KvBProjection sizes) {
    float[] values = new float[sizes.value() * sizes.rank()];
    float[] keys = new float[sizes.nope() * sizes.rank()];
    return (head, into, at) -> {
      sizes.split(kvB, head, head + 1, keys, values);
      System.arraycopy(values, 0, into, at, values.length);
    };
  }

  private Map<Integer, KvBFingerprint> others(Checkpoint from, KvBProjection sizes, int layer)
      throws GgufException {
    if (prints.isEmpty()) {
      for (Map.Entry<Integer, CheckpointParameter> other : references.entrySet()) {
        CheckpointParameter parameter = other.getValue();
        if (Arrays.equals(parameter.shape(), sizes.shape())) {
          prints.put(
              other.getKey(),
              KvBFingerprint.of(
                  sizes,
                  (row, into, at) ->
                      from.read(parameter, (long) row * sizes.rank(), sizes.rank(), into, at)));
        }
      }
    }
    Map<Integer, KvBFingerprint> others = new LinkedHashMap<>(prints);
    others.remove(layer);
    return others;
  }
}
