package dev.gguf.quant;

import dev.gguf.TensorType;
import dev.gguf.quant.BlockDequantizer.Formula;
import dev.gguf.quant.BlockDequantizer.Loop;
import dev.gguf.quant.BlockDequantizer.Unpacker;
import dev.gguf.quant.ScalarDequantizer.Scalar;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Which loops decode which type.
final class Decoders {
  private Decoders() {}

  static @Nullable Dequantizer of(TensorType type, ByteOrder order) {
    if (type.kind() != TensorType.Kind.CURRENT) {
      return null;
    }
    return type.isQuantized() ? blocks(type, order) : scalars(type, order);
  }

  private static Dequantizer scalars(TensorType type, ByteOrder order) {
    Scalar scalar =
        switch (type.name()) {
          case "F16" -> ScalarDequantizer::f16;
          case "BF16" -> ScalarDequantizer::bf16;
          case "F32" -> ScalarDequantizer::f32;
          case "F64" -> ScalarDequantizer::f64;
          case "I8" -> ScalarDequantizer::i8;
          case "I16" -> ScalarDequantizer::i16;
          case "I32" -> ScalarDequantizer::i32;
          case "I64" -> ScalarDequantizer::i64;
          default -> throw new IllegalStateException(type + " has no loop");
        };
    return new ScalarDequantizer(type, order, scalar);
  }

  private static @Nullable Dequantizer blocks(TensorType type, ByteOrder order) {
    int[] halves = halves(type);
    if (halves == null) {
      if (order == ByteOrder.BIG_ENDIAN) {
        return null;
      }
      halves = new int[0];
    }
    Unpacker unpacker = unpacker(type);
    return unpacker == null
        ? BlockDequantizer.of(type, order, loop(type), halves)
        : BlockDequantizer.of(type, order, unpacker, formula(type), halves);
  }

  /// Returns the places of the 16-bit numbers in a block, or null for a type that no converter
  /// writes into big-endian files.
  private static int @Nullable [] halves(TensorType type) {
    return switch (type.name()) {
      case "Q4_0", "Q8_0" -> new int[] {0};
      case "Q4_K" -> new int[] {0, 2};
      case "Q6_K" -> new int[] {208};
      case "MXFP4" -> new int[0];
      default -> null;
    };
  }

  /// The types that take most of the bytes of most models go the faster way by [Planes].
  private static @Nullable Unpacker unpacker(TensorType type) {
    return switch (type.name()) {
      case "Q4_0" -> Legacy::q4x0;
      case "Q8_0" -> Legacy::q8x0;
      case "Q8_1" -> Legacy::q8x1;
      case "Q2_K" -> KQuants::q2k;
      case "Q3_K" -> KQuants::q3k;
      case "Q4_K" -> KQuants::q4k;
      case "Q5_K" -> KQuants::q5k;
      case "Q6_K" -> KQuants::q6k;
      case "MXFP4" -> TableQuants::mxfp4;
      case "NVFP4" -> TableQuants::nvfp4;
      default -> null;
    };
  }

  private static Formula formula(TensorType type) {
    return switch (type.name()) {
      case "Q2_K", "Q4_K", "Q5_K" -> Planes::scalesAndMinima;
      case "Q3_K", "Q6_K" -> Planes::scales;
      case "MXFP4" -> Planes::powers;
      default -> Planes::factors;
    };
  }

  private static Loop loop(TensorType type) {
    return switch (type.name()) {
      case "Q1_0" -> Legacy::q1x0;
      case "Q2_0" -> Legacy::q2x0;
      case "Q4_1" -> Legacy::q4x1;
      case "Q5_0" -> Legacy::q5x0;
      case "Q5_1" -> Legacy::q5x1;
      case "Q8_K" -> KQuants::q8k;
      case "TQ1_0" -> Ternary::tq1x0;
      case "TQ2_0" -> Ternary::tq2x0;
      case "IQ4_NL" -> TableQuants::iq4nl;
      case "IQ4_XS" -> TableQuants::iq4xs;
      case "IQ1_S" -> GridQuants::iq1s;
      case "IQ1_M" -> GridQuants::iq1m;
      case "IQ2_XXS" -> GridQuants::iq2xxs;
      case "IQ2_XS" -> GridQuants::iq2xs;
      case "IQ2_S" -> GridQuants::iq2s;
      case "IQ3_XXS" -> GridQuants::iq3xxs;
      case "IQ3_S" -> GridQuants::iq3s;
      default -> throw new IllegalStateException(type + " has no loop");
    };
  }
}
