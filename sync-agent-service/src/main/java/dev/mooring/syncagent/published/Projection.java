package dev.mooring.syncagent.published;

import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a type is called in kcp, where that differs from the service cluster.
 *
 * @param version deprecated form: the new name of the only version
 * @param versions old name to new name
 * @param shortNames empty optional keeps, empty list clears; so for {@code categories}
 */
public record Projection(
    Optional<String> group,
    Optional<String> version,
    Map<String, String> versions,
    Optional<String> kind,
    Optional<String> plural,
    Optional<Scope> scope,
    Optional<List<String>> shortNames,
    Optional<List<String>> categories) {
  public Projection {
    versions = Map.copyOf(versions);
    shortNames = shortNames.map(List::copyOf);
    categories = categories.map(List::copyOf);
  }

  static Projection read(@Nullable Object tree) {
    var versions = new LinkedHashMap<String, String>();
    Trees.map(tree, "versions").forEach((from, to) -> versions.put(from, Trees.textOrEmpty(to)));
    return new Projection(
        text(tree, "group"),
        text(tree, "version"),
        versions,
        text(tree, "kind"),
        text(tree, "plural"),
        text(tree, "scope")
            .map(text ->
                FieldValues.read(Scope.class, text, "spec.projection.scope: not a scope: ")),
        texts(tree, "shortNames"),
        texts(tree, "categories"));
  }

  private static Optional<String> text(@Nullable Object tree, String field) {
    String text = Trees.text(tree, field);
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private static Optional<List<String>> texts(@Nullable Object tree, String field) {
    return Trees.at(tree, field) instanceof List<?> list
        ? Optional.of(list.stream().map(Trees::textOrEmpty).toList())
        : Optional.empty();
  }
}
