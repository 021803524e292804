package dev.gguf.mapping.engine;

/// One thing that a profile states about an engine.
///
/// @param key what it is about, words joined by dots, such as `dtype.bfloat16.below`
/// @param value what holds
/// @param source where it was read or seen: a file of the engine, a report, a run
/// @param versions the releases that it holds for, as `0.12.0 - 0.23.0` or a single one
public record Fact(String key, String value, String source, String versions) {}
