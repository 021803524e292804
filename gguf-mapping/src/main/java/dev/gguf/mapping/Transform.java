package dev.gguf.mapping;

import java.util.Optional;

/// What turns the values of tensors into the values of a parameter. Decoding to float is no
/// transform. Where several apply, they do in the order of a [MappedTensors#transforms()] list.
public enum Transform {
  /// The same values in the same order.
  NONE("none", true),
  /// The same values in the same order under other dimensions.
  RESHAPE("reshape", true),
  /// The last two axes change places.
  TRANSPOSE("transpose", false),
  /// `attn_k_b` and `attn_v_b` become `kv_b_proj`.
  JOIN_KV_B("join-kv-b", false),
  /// One tensor becomes a parameter per expert: the slices along its slowest axis.
  SPLIT_EXPERTS("split-experts", true),
  /// A tensor per expert becomes one parameter with the experts along a new slowest axis.
  STACK_EXPERTS("stack-experts", true),
  /// Consecutive rows of one tensor become several parameters.
  SPLIT_ROWS("split-rows", true),
  /// Rows of several tensors become one parameter.
  JOIN_ROWS("join-rows", true),
  /// The rows of each head, stored in pairs for rotation, become two halves again.
  UNPERMUTE_HEADS("unpermute-heads", true),
  /// Rows, or columns, stand in another order of heads.
  REORDER_HEADS("reorder-heads", true),
  /// The tensor holds the parameter plus one.
  MINUS_ONE("minus-one", false),
  /// The tensor holds `-exp(x)` of the parameter's `x`.
  LOG_NEGATIVE("log-negative", false),
  /// MXFP4 blocks become a parameter of packed values and one of scales.
  REPACK("repack", false);

  private final String id;
  private final boolean keepsRows;

  Transform(String id, boolean keepsRows) {
    this.id = id;
    this.keepsRows = keepsRows;
  }

  /// Returns the word used in map files and in every output.
  public String id() {
    return id;
  }

  /// Returns whether the values of a row stay together and unchanged, so that quantised rows can be
  /// moved without decoding them.
  public boolean keepsRows() {
    return keepsRows;
  }

  /// Returns the transform with this word.
  public static Optional<Transform> of(String id) {
    for (Transform transform : values()) {
      if (transform.id.equals(id)) {
        return Optional.of(transform);
      }
    }
    return Optional.empty();
  }
}
