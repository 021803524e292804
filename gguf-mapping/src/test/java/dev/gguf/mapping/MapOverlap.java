package dev.gguf.mapping;

import dev.gguf.mapping.internal.MapFile;
import dev.gguf.mapping.internal.Section;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Proves from the structure of a map that no two of its rules can claim the same tensor or the
/// same parameter: two that name the same one have to stand in different branches of one choice.
final class MapOverlap {
  /// A step into a branch.
  private record Step(MapFile.Choice choice, int branch) {}

  /// A rule and the branches that lead to it.
  private record Place(MapFile.Rule rule, List<Step> path) {}

  private MapOverlap() {}

  /// Returns the pairs of rules that can meet, in words.
  static List<String> find(NameMap map) {
    List<String> overlaps = new ArrayList<>();
    Map<String, List<Place>> parameters = new HashMap<>();
    for (Section section : map.file().sections()) {
      Map<String, List<Place>> tensors = new HashMap<>();
      for (Place place : places(section.items(), List.of())) {
        for (MapFile.Source source : place.rule().sources()) {
          claim(tensors, "tensor " + source.name(), place, overlaps);
        }
        for (MapFile.Param param : place.rule().params()) {
          String prefix = param.absolute() ? "" : section.prefix(false).text();
          claim(parameters, "parameter " + prefix + param.name().text(), place, overlaps);
        }
      }
    }
    return overlaps;
  }

  private static List<Place> places(List<MapFile.Item> items, List<Step> path) {
    List<Place> places = new ArrayList<>();
    for (MapFile.Item item : items) {
      switch (item) {
        case MapFile.Rule rule -> places.add(new Place(rule, path));
        case MapFile.Choice choice -> {
          for (int i = 0; i < choice.branches().size(); i++) {
            List<Step> deeper = new ArrayList<>(path);
            deeper.add(new Step(choice, i));
            places.addAll(places(choice.branches().get(i).items(), deeper));
          }
        }
      }
    }
    return places;
  }

  private static void claim(
      Map<String, List<Place>> claims, String name, Place place, List<String> overlaps) {
    List<Place> others = claims.computeIfAbsent(name, _ -> new ArrayList<>());
    for (Place other : others) {
      if (!exclude(place.path(), other.path())) {
        overlaps.add(name + ": " + other.rule().line() + " and " + place.rule().line());
      }
    }
    others.add(place);
  }

  private static boolean exclude(List<Step> one, List<Step> other) {
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      if (!one.get(i).choice().line().equals(other.get(i).choice().line())) {
        return false;
      }
      if (one.get(i).branch() != other.get(i).branch()) {
        return true;
      }
    }
    return false;
  }
}
