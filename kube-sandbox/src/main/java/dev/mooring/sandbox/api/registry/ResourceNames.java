package dev.mooring.sandbox.api.registry;

import java.util.List;

/**
 * What a resource is called, as discovery says it.
 *
 * @param plural the name in paths
 */
public record ResourceNames(
    String plural,
    String singular,
    String kind,
    String listKind,
    List<String> shortNames,
    List<String> categories) {
  public ResourceNames {
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
  }

  public static ResourceNames of(String plural, String kind, String... shortNames) {
    return new ResourceNames(
        plural,
        kind.toLowerCase(java.util.Locale.ROOT),
        kind,
        kind + "List",
        List.of(shortNames),
        List.of());
  }

  /** As {@code kubectl get <category>} finds it. */
  public ResourceNames inCategories(String... names) {
    return new ResourceNames(plural, singular, kind, listKind, shortNames, List.of(names));
  }
}
