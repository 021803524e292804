package dev.gguf.mapping.check;

import dev.gguf.FileKind;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The types of tensors against what the file calls itself, and against what quantisers leave
/// alone.
final class TypeRules {
  private final Judged model;

  private TypeRules(Judged model) {
    this.model = model;
  }

  static void check(Judged model) {
    TypeRules rules = new TypeRules(model);
    rules.unusual();
    if (model.kind() == FileKind.MODEL && model.hasAllTensors()) {
      rules.label();
    }
  }

  private void unusual() {
    int count = 0;
    Tensor first = null;
    for (Tensor tensor : model.tensors()) {
      if (tensor.type().isQuantized() && isKeptAsFloats(tensor.name())) {
        count++;
        first = first == null ? tensor : first;
      }
    }
    if (first != null) {
      model.add(
          model
              .aboutTensor(
                  ModelRule.TYPE_UNUSUAL,
                  first,
                  (count == 1
                          ? "1 router, norm or bias is"
                          : count + " routers, norms or biases are")
                      + " quantised, first "
                      + first.name()
                      + " as "
                      + first.type()
                      + ": quantisers keep them as floats, engines may not take them")
              .withHint("quantise the model again without an override for these tensors"));
    }
  }

  private static boolean isKeptAsFloats(String name) {
    return name.endsWith(".bias")
        || name.endsWith("_norm.weight")
        || name.endsWith(".ffn_gate_inp.weight")
        || name.endsWith(".nextn.enorm.weight")
        || name.endsWith(".nextn.hnorm.weight");
  }

  private void label() {
    Map<TensorType, Long> bytes = new LinkedHashMap<>();
    Map<TensorType, Integer> counts = new LinkedHashMap<>();
    for (Tensor tensor : model.tensors()) {
      if (tensor.dimensions() > 1) {
        bytes.merge(tensor.type(), tensor.bytes(), TypeRules::plus);
        counts.merge(tensor.type(), 1, Integer::sum);
      }
    }
    TensorType most = null;
    for (Map.Entry<TensorType, Long> each : bytes.entrySet()) {
      if (most == null || each.getValue() > bytes.get(most)) {
        most = each.getKey();
      }
    }
    if (most == null) {
      return;
    }
    Long fileType = model.integer("general.file_type");
    FileType byKey = fileType == null ? null : FileType.of(fileType);
    if (byKey != null && !byKey.fits(most)) {
      model.add(
          model
              .aboutKey(
                  ModelRule.FILE_TYPE,
                  "general.file_type",
                  "general.file_type is "
                      + fileType
                      + " ("
                      + byKey.name()
                      + "), but most bytes are "
                      + most
                      + ": "
                      + mix(bytes, counts))
              .withHint("the tensors count; the key is only a label"));
      return;
    }
    FileType byName = FileType.ofFileName(model.fileName());
    if (byName != null && !byName.fits(most)) {
      model.add(
          model.aboutModel(
              ModelRule.FILE_TYPE,
              "the name of the file says "
                  + byName.name()
                  + ", but most bytes are "
                  + most
                  + ": "
                  + mix(bytes, counts)));
    }
  }

  private static Long plus(Long a, Long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static String mix(Map<TensorType, Long> bytes, Map<TensorType, Integer> counts) {
    StringBuilder text = new StringBuilder();
    int named = 0;
    for (Map.Entry<TensorType, Long> each : bytes.entrySet()) {
      if (named++ == 4) {
        return text.append(" and ").append(bytes.size() - 4).append(" more types").toString();
      }
      int count = counts.get(each.getKey());
      text.append(named > 1 ? ", " : "")
          .append(count)
          .append(count == 1 ? " tensor " : " tensors ")
          .append(each.getKey());
    }
    return text.toString();
  }

  /// A value of `general.file_type`: the name of a quantiser's preset, and the types that make up
  /// most of such a file.
  private record FileType(String name, String types) {
    private static final String[] BY_NUMBER = {
      "F32:F32",
      "F16:F16",
      "Q4_0:Q4_0",
      "Q4_1:Q4_1",
      "",
      "",
      "",
      "Q8_0:Q8_0",
      "Q5_0:Q5_0",
      "Q5_1:Q5_1",
      "Q2_K:Q2_K Q3_K",
      "Q3_K_S:Q3_K",
      "Q3_K_M:Q3_K",
      "Q3_K_L:Q3_K Q5_K",
      "Q4_K_S:Q4_K",
      "Q4_K_M:Q4_K",
      "Q5_K_S:Q5_K",
      "Q5_K_M:Q5_K",
      "Q6_K:Q6_K",
      "IQ2_XXS:IQ2_XXS",
      "IQ2_XS:IQ2_XS",
      "Q2_K_S:Q2_K",
      "IQ3_XS:IQ3_XXS IQ3_S",
      "IQ3_XXS:IQ3_XXS",
      "IQ1_S:IQ1_S IQ2_XXS",
      "IQ4_NL:IQ4_NL",
      "IQ3_S:IQ3_S",
      "IQ3_M:IQ3_S",
      "IQ2_S:IQ2_XS IQ2_S",
      "IQ2_M:IQ2_S",
      "IQ4_XS:IQ4_XS IQ4_NL",
      "IQ1_M:IQ1_M IQ2_XXS",
      "BF16:BF16",
      "",
      "",
      "",
      "TQ1_0:TQ1_0",
      "TQ2_0:TQ2_0",
      "MXFP4_MOE:MXFP4 Q8_0",
      "NVFP4:NVFP4",
      "Q1_0:Q1_0",
      "Q2_0:Q2_0",
    };

    static @Nullable FileType of(long number) {
      return number < 0 || number >= BY_NUMBER.length || BY_NUMBER[(int) number].isEmpty()
          ? null
          : of(BY_NUMBER[(int) number]);
    }

    private static FileType of(String text) {
      int colon = text.indexOf(':');
      return new FileType(text.substring(0, colon), " " + text.substring(colon + 1) + " ");
    }

    /// Returns the preset whose name stands last in the name of a file, between other characters
    /// than letters, digits and underscores.
    static @Nullable FileType ofFileName(String fileName) {
      String upper = fileName.toUpperCase(Locale.ROOT);
      FileType best = null;
      int bestAt = -1;
      for (String text : BY_NUMBER) {
        if (text.isEmpty()) {
          continue;
        }
        FileType type = of(text);
        int at = upper.lastIndexOf(type.name);
        if (at > 0
            && isBorder(upper.charAt(at - 1))
            && (at + type.name.length() == upper.length()
                || isBorder(upper.charAt(at + type.name.length())))
            && (at > bestAt
                || at == bestAt && best != null && type.name.length() > best.name.length())) {
          best = type;
          bestAt = at;
        }
      }
      return best;
    }

    private static boolean isBorder(char c) {
      return (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_';
    }

    boolean fits(TensorType type) {
      return types.contains(" " + type.name() + " ");
    }
  }
}
