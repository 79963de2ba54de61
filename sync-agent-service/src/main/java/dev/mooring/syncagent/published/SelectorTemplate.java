package dev.mooring.syncagent.published;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.LabelSelector.Operator;
import dev.mooring.syncagent.published.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A label selector whose {@code matchLabels} may have templates as keys and values. Rendered into a
 * new selector for every primary; nothing of one rendering is kept for the next.
 */
public record SelectorTemplate(List<Label> labels, LabelSelector fixed) {
  /** Fields that a template can read. */
  static final Set<String> FIELDS =
      Set.of("LocalObject", "RemoteObject", "ClusterName", "ClusterPath");

  /** What a template prints for a field that is not there. */
  private static final String NO_VALUE = "<no value>";

  public SelectorTemplate {
    labels = List.copyOf(labels);
  }

  /** One of the {@code matchLabels}. */
  public record Label(GoTemplate key, GoTemplate value) {}

  private static String render(GoTemplate template, Map<String, Object> values) {
    String rendered = template.render(values);
    if (rendered.contains(NO_VALUE)) {
      throw new TemplateFailure("\"" + template + "\" reads a field that is not there");
    }
    return rendered;
  }

  /**
   * The selector for one primary. A label whose key renders to nothing is left out.
   *
   * @throws TemplateFailure if a template cannot work on these objects, or if no label is left to
   *     select by: the selector would match all users' objects
   */
  public LabelSelector render(Primaries primaries) {
    var values = new HashMap<String, Object>(primaries.clusterFields());
    values.putAll(primaries.bothObjects());
    var requirements = new ArrayList<>(fixed.requirements());
    for (Label label : labels) {
      String key = render(label.key(), values);
      if (!key.isEmpty()) {
        requirements.add(new Requirement(key, Operator.IN, List.of(render(label.value(), values))));
      }
    }
    if (requirements.isEmpty() && !labels.isEmpty()) {
      throw new TemplateFailure("no label is left to select by: every key rendered to nothing");
    }
    return new LabelSelector(requirements);
  }

  /** Throws {@link InvalidPublishedResource} naming {@code field}. */
  static SelectorTemplate read(Object tree, String field) {
    var labels = new ArrayList<Label>();
    var problems = new Problems();
    Trees.map(tree, "matchLabels")
        .forEach((key, value) ->
            problems.check(() ->
                labels.add(
                    new Label(
                        FieldValues.template(key, FIELDS, field + ".matchLabels"),
                        FieldValues.template(
                            Trees.textOrEmpty(value),
                            FIELDS,
                            field + ".matchLabels[" + key + "]")))));
    Object expressions = Trees.at(tree, "matchExpressions");
    return problems.checked(
        new SelectorTemplate(
            labels,
            expressions == null
                ? LabelSelector.EVERYTHING
                : problems.read(
                    LabelSelector.EVERYTHING,
                    () -> LabelSelector.read(Map.of("matchExpressions", expressions), field))));
  }
}
