package dev.gguf.mapping;

/// An optional tensor that the file leaves out because another one is used in its place.
///
/// @param parameter the parameter that it would feed
/// @param tensor the name of the absent tensor
/// @param reason which one is used instead, in words
public record SharedTensor(String parameter, String tensor, String reason) {}
