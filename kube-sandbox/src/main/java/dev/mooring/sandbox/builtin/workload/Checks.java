package dev.mooring.sandbox.builtin.workload;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What Kubernetes refuses of a resource, from the notation of {@code workload-resources.yaml}.
 * Immutable.
 *
 * @param required the detail of the complaint, by path
 * @param allowed values, by path
 * @param immutable paths that no update changes
 * @param selects what has a selector of its template's labels, as messages call it; empty if
 *     nothing has
 */
record Checks(
    Map<String, Object> required,
    Map<String, Object> allowed,
    List<String> immutable,
    String selects) {
  static Checks of(Object row) {
    return new Checks(
        Trees.map(row, "required"),
        Trees.map(row, "allowed"),
        Trees.texts(Trees.at(row, "immutable")),
        Trees.text(row, "selects"));
  }

  List<FieldError> problems(KubeObject object) {
    var problems = new ArrayList<FieldError>();
    if (!selects.isEmpty()) {
      problems.addAll(ofSelector(object));
    }
    required.forEach((path, detail) ->
        visit(
            object.tree(),
            "",
            path,
            (field, value) -> {
              if (isEmpty(value)) {
                problems.add(FieldError.required(field, Trees.textOrEmpty(detail)));
              }
            }));
    allowed.forEach((path, values) ->
        visit(
            object.tree(),
            "",
            path,
            (field, value) -> {
              if (!isEmpty(value) && !Trees.texts(values).contains(value)) {
                problems.add(FieldError.notSupported(field, value, Trees.texts(values)));
              }
            }));
    return problems;
  }

  List<FieldError> changes(KubeObject updated, KubeObject current) {
    return immutable.stream()
        .filter(path -> !Objects.equals(at(updated, path), at(current, path)))
        .map(path -> FieldError.invalid(path, at(updated, path), "field is immutable"))
        .toList();
  }

  private static @Nullable Object at(KubeObject object, String path) {
    return object.at(path.split("\\."));
  }

  private static boolean isEmpty(@Nullable Object value) {
    return switch (value) {
      case null -> true;
      case String text -> text.isEmpty();
      case List<?> list -> list.isEmpty();
      default -> false;
    };
  }

  /**
   * Each field that a path names, with its value: of every item of lists.
   *
   * @param path such as {@code spec.containers[].name}
   */
  private static void visit(
      @Nullable Object tree, String at, String path, BiConsumer<String, @Nullable Object> visitor) {
    String[] parts = path.split("\\.", 2);
    boolean isList = parts[0].endsWith("[]");
    String name = isList ? parts[0].substring(0, parts[0].length() - 2) : parts[0];
    String field = at.isEmpty() ? name : at + "." + name;
    Object value = Trees.at(tree, name);
    if (parts.length == 1) {
      visitor.accept(field, value);
    } else if (isList) {
      List<Object> items = Trees.listOrEmpty(value);
      for (int i = 0; i < items.size(); i++) {
        visit(items.get(i), field + "[" + i + "]", parts[1], visitor);
      }
    } else {
      visit(value, field, parts[1], visitor);
    }
  }

  private List<FieldError> ofSelector(KubeObject object) {
    Map<String, Object> selector = object.map("spec", "selector");
    Map<String, Object> labels = object.map("spec", "template", "metadata", "labels");
    var problems = new ArrayList<FieldError>();
    if (object.at("spec", "selector") == null) {
      problems.add(FieldError.required("spec.selector", ""));
    } else if (selector.isEmpty()) {
      problems.add(
          FieldError.invalid(
              "spec.selector", selector, "empty selector is invalid for " + selects));
    }
    boolean selected =
        Trees.map(selector, "matchLabels").entrySet().stream()
            .allMatch(label -> Objects.equals(labels.get(label.getKey()), label.getValue()));
    if (!selected) {
      problems.add(
          FieldError.invalid(
              "spec.template.metadata.labels",
              labels,
              "`selector` does not match template `labels`"));
    }
    return problems;
  }
}
