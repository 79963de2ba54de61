package dev.mooring.syncagent.published;

import dev.mooring.languages.FieldStep;
import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.cel.CelExpression;
import dev.mooring.languages.gjson.JsonPath;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.schema.FieldLookup;
import dev.mooring.model.schema.ObjectSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fields of the primary object that a PublishedResource names and its schema cannot have: in
 * naming, in the locations of related objects, and in mutations of the primary. Such a path finds
 * nothing, and what it writes is dropped. Both sides have the same schema, since a projection
 * copies it.
 */
public final class PrimaryFields {
  private static final Set<String> OBJECTS = Set.of("Object", "LocalObject", "RemoteObject");
  private static final Set<String> ROOTS =
      Stream.of(NamePattern.FIELDS, Rewrite.FIELDS, Locator.Template.FIELDS)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> VARIABLES = Set.of("self", "other", "value");

  private final ObjectSchema schema;
  private final List<Problem> problems = new ArrayList<>();

  /**
   * A path that no primary can have.
   *
   * @param field of the PublishedResource, such as {@code spec.related[0].object.reference.path}
   * @param message what is wrong, such as {@code .status.secret is a string, which has no field
   *     "name"}
   */
  public record Problem(String field, String message) {}

  private PrimaryFields(ObjectSchema schema) {
    this.schema = schema;
  }

  /**
   * In the order of the object; none for expressions that cannot be parsed, which {@link
   * PublishedResource#read} refuses.
   *
   * @param schema of the primary, in the version that is synced
   */
  public static List<Problem> missing(KubeObject published, ObjectSchema schema) {
    var fields = new PrimaryFields(schema);
    for (String part : List.of("name", "namespace")) {
      fields.template("spec.naming." + part, published.text("spec", "naming", part));
    }
    List<Object> related = published.list("spec", "related");
    for (int i = 0; i < related.size(); i++) {
      fields.walk("spec.related[" + i + "].object", Trees.at(related.get(i), "object"));
    }
    fields.walk("spec.mutation", published.at("spec", "mutation"));
    return fields.problems.stream().distinct().toList();
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
    switch (key) {
      case "template" -> template(at, text);
      case "path" -> path(at, text);
      case "expression" -> expression(at, text);
      default -> {}
    }
  }

  private void template(String at, String text) {
    try {
      for (List<FieldStep> path : GoTemplate.compile(text, ROOTS).fields()) {
        if (path.getFirst() instanceof FieldStep.Field(var root) && OBJECTS.contains(root)) {
          check(at, path.subList(1, path.size()));
        }
      }
    } catch (InvalidTemplate refused) {
      // Reported where the resource is read.
    }
  }

  private void path(String at, String text) {
    try {
      JsonPath.compile(text).fields().forEach(path -> name(at, path));
    } catch (InvalidExpression refused) {
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

  private void expression(String at, String text) {
    try {
      var expression = CelExpression.compile(text, VARIABLES);
      Stream.of("self", "other")
          .map(expression::fields)
          .flatMap(Collection::stream)
          .forEach(path -> check(at, path));
    } catch (InvalidExpression refused) {
      // Reported where the resource is read.
    }
  }

  private void check(String at, List<FieldStep> path) {
    if (schema.find(path) instanceof FieldLookup.Missing(var problem)) {
      problems.add(new Problem(at, problem));
    }
  }
}
