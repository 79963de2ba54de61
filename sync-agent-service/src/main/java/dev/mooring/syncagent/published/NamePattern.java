package dev.mooring.syncagent.published;

import dev.mooring.languages.Hashes;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How a copy's name or namespace is made: a Go template or, where the text has no <code>{{</code>,
 * text with the placeholders of the KDP Servlet. Compiled once, when the PublishedResource is read.
 */
@FunctionalInterface
public interface NamePattern {
  /** Fields that a template can read. */
  Set<String> FIELDS = Set.of("Object", "ClusterName", "ClusterPath");

  NamePattern DEFAULT_NAMESPACE = compile("{{ .ClusterName }}", "spec.naming.namespace");
  NamePattern DEFAULT_NAME =
      compile(
          "{{ .Object.metadata.namespace | sha3short }}-{{ .Object.metadata.name | sha3short }}",
          "spec.naming.name");

  /**
   * The name for this source.
   *
   * @param path empty unless workspace paths are enabled
   * @throws dev.mooring.languages.TemplateFailure if a field is missing
   */
  String render(KubeObject source, LogicalCluster cluster, Optional<String> path);

  /** Throws {@link InvalidPublishedResource} naming {@code field}. */
  static NamePattern compile(String text, String field) {
    if (!text.contains("{{")) {
      return (source, cluster, _) -> placeholders(text, source, cluster);
    }
    GoTemplate template = FieldValues.template(text, FIELDS, field);
    return (source, cluster, path) -> {
      // A cluster-scoped object has an empty namespace, not a missing one: the default works on it.
      KubeObject object =
          source.namespace().isEmpty() ? source.with("", "metadata", "namespace") : source;
      return template.render(
          Map.of(
              "Object", object.tree(),
              "ClusterName", cluster.name(),
              "ClusterPath", path.orElse("")));
    };
  }

  /**
   * {@code $remoteClusterName}, {@code $remoteNamespace}, {@code $remoteName} and the short SHA-1
   * of the last two with {@code Hash} appended.
   */
  private static String placeholders(String text, KubeObject source, LogicalCluster cluster) {
    // Longer placeholders first: $remoteName is a prefix of $remoteNameHash and of
    // $remoteNamespace.
    return text.replace("$remoteClusterName", cluster.name())
        .replace("$remoteNamespaceHash", Hashes.sha1Short(source.namespace()))
        .replace("$remoteNameHash", Hashes.sha1Short(source.name()))
        .replace("$remoteNamespace", source.namespace())
        .replace("$remoteName", source.name());
  }
}
