package dev.mooring.syncagent.published;

import dev.mooring.languages.FieldStep;
import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.cel.CelExpression;
import dev.mooring.languages.gjson.JsonPath;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.schema.FieldLookup;
import dev.mooring.model.schema.ObjectSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fields that a PublishedResource names and objects cannot have, by their schema: of the primary in
 * naming, in the locations of related objects and in its mutations, and of related objects in
 * theirs. Such a path finds nothing, and what it writes is dropped. Both sides of a primary have
 * the same schema, since a projection copies it.
 */
public final class NamedFields {
  private static final Set<String> OBJECTS = Set.of("Object", "LocalObject", "RemoteObject");
  private static final Set<String> ROOTS =
      Stream.of(NamePattern.FIELDS, Rewrite.FIELDS, Locator.Template.FIELDS)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> VARIABLES = Set.of("self", "other", "value");

  private final ObjectSchema schema;
  private final List<Problem> problems;

  /**
   * A path that no object can have.
   *
   * @param field of the PublishedResource, such as {@code spec.related[0].object.reference.path}
   * @param message what is wrong, such as {@code .status.secret is a string, which has no field
   *     "name"}
   */
  public record Problem(String field, String message) {}

  private NamedFields(ObjectSchema schema, List<Problem> problems) {
    this.schema = schema;
    this.problems = problems;
  }

  /**
   * In the order of the object; none for expressions that cannot be parsed, which {@link
   * PublishedResource#read} refuses.
   *
   * @param schema of the primary, in the version that is synced
   * @param others schemas of related types but Secrets and ConfigMaps; empty if not known
   */
  public static List<Problem> missing(
      KubeObject published,
      ObjectSchema schema,
      Function<ResourceType, Optional<ObjectSchema>> others) {
    var fields = new NamedFields(schema, new ArrayList<>());
    for (String part : List.of("name", "namespace")) {
      fields.field("spec.naming." + part, "template", published.at("spec", "naming", part));
    }
    List<Object> related = published.list("spec", "related");
    for (int i = 0; i < related.size(); i++) {
      String at = "spec.related[" + i + "]";
      fields.walk(at + ".object", Trees.at(related.get(i), "object"));
      ObjectSchema other = related(related.get(i), at, others).orElse(new ObjectSchema(Map.of()));
      new NamedFields(other, fields.problems)
          .walk(at + ".mutation", Trees.at(related.get(i), "mutation"));
    }
    fields.walk("spec.mutation", published.at("spec", "mutation"));
    return fields.problems.stream().distinct().toList();
  }

  /** Empty if it is not known, or a projection may give the other side another one. */
  private static Optional<ObjectSchema> related(
      Object entry, String at, Function<ResourceType, Optional<ObjectSchema>> others) {
    if (Trees.at(entry, "projection") != null) {
      return Optional.empty();
    }
    try {
      ResourceType type = RelatedResource.type(entry, at);
      return switch (type.toString()) {
        case "secrets.v1" -> Optional.of(ObjectSchema.SECRET);
        case "configmaps.v1" -> Optional.of(ObjectSchema.CONFIG_MAP);
        default -> others.apply(type);
      };
    } catch (InvalidPublishedResource refused) {
      return Optional.empty();
    }
  }

  private void walk(String at, @Nullable Object tree) {
    switch (tree) {
      case Map<?, ?> map -> map.forEach((key, value) -> field(at + "." + key, (String) key, value));
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          walk(at + "[" + i + "]", list.get(i));
        }
      }
      case null, default -> {}
    }
  }

  private void field(String at, String key, @Nullable Object value) {
    if (!(value instanceof String text)) {
      walk(at, value);
      return;
    }
    try {
      switch (key) {
        case "template" ->
            GoTemplate.compile(text, ROOTS).fields().stream()
                .filter(path ->
                    path.getFirst() instanceof FieldStep.Field(var root) && OBJECTS.contains(root))
                .forEach(path -> check(at, path.subList(1, path.size())));
        case "path" -> JsonPath.compile(text).fields().forEach(path -> name(at, path));
        case "expression" -> {
          var expression = CelExpression.compile(text, VARIABLES);
          expression.fields("self").forEach(path -> check(at, path));
          expression.fields("other").forEach(path -> check(at, path));
        }
        default -> {}
      }
    } catch (InvalidTemplate | InvalidExpression refused) {
      // Reported where the resource is read.
    }
  }

  private void name(String at, List<FieldStep> path) {
    check(at, path);
    if (at.endsWith(".reference.path")
        && schema.find(path) instanceof FieldLookup.Known known
        && known.type().equals("object")) {
      problems.add(new Problem(at, "it leads to an object, not to a name"));
    }
  }

  private void check(String at, List<FieldStep> path) {
    if (schema.find(path) instanceof FieldLookup.Missing(var problem)) {
      problems.add(new Problem(at, problem));
    }
  }
}
