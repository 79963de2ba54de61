package dev.mooring.syncagent.published;

import dev.mooring.languages.template.GoTemplate;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code spec.naming.namespaceMetadata}: labels and annotations of Namespaces that the agent
 * creates on the service cluster. Objects of several types may share a Namespace, so that a value
 * can depend on the consumer's workspace only.
 */
public record NamespaceMetadata(
    Map<String, GoTemplate> labels, Map<String, GoTemplate> annotations) {
  public static final NamespaceMetadata NONE = new NamespaceMetadata(Map.of(), Map.of());

  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  private static final String CLUSTER = "ClusterName";

  public NamespaceMetadata {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  static NamespaceMetadata read(@Nullable Object tree, String field) {
    var problems = new Problems();
    return problems.checked(
        new NamespaceMetadata(
            templates(Trees.at(tree, "labels"), field + ".labels", problems),
            templates(Trees.at(tree, "annotations"), field + ".annotations", problems)));
  }

  private static Map<String, GoTemplate> templates(
      @Nullable Object tree, String field, Problems problems) {
    var templates = new HashMap<String, GoTemplate>();
    Trees.textEntries(tree)
        .forEach((key, value) ->
            problems.check(() ->
                templates.put(
                    key,
                    FieldValues.template(value, Set.of(CLUSTER), "%s[%s]".formatted(field, key)))));
    return templates;
  }

  /**
   * A Namespace to be created.
   *
   * @param agentName goes into the label by which the agent knows its Namespaces
   * @throws dev.mooring.languages.TemplateFailure if a value cannot be rendered
   */
  public KubeObject namespace(String name, String agentName, LogicalCluster cluster) {
    Map<String, String> labels = rendered(this.labels, cluster);
    labels.put(SyncMarks.NAMESPACE_OF, agentName);
    KubeObject namespace =
        KubeObject.of(NAMESPACES, "Namespace", "", name).with(labels, "metadata", "labels");
    return annotations.isEmpty()
        ? namespace
        : namespace.with(rendered(annotations, cluster), "metadata", "annotations");
  }

  private static Map<String, String> rendered(
      Map<String, GoTemplate> templates, LogicalCluster cluster) {
    var rendered = new HashMap<String, String>();
    templates.forEach(
        (key, value) -> rendered.put(key, value.render(Map.of(CLUSTER, cluster.name()))));
    return rendered;
  }
}
