package dev.gguf.mapping;

/// A metadata key without which the loaders of an architecture refuse a file.
///
/// @param key the whole key
/// @param reason what the loaders need it for
public record RequiredKey(String key, String reason) {}
