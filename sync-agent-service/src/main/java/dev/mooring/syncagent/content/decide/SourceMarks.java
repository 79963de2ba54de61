package dev.mooring.syncagent.content.decide;

import dev.mooring.languages.Hashes;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The marks on a copy that say whose copy it is and which agent made it.
 *
 * @param path of the source's workspace, where that was asked for
 */
public record SourceMarks(ObjectKey source, String agentName, Optional<String> path) {
  /** Label of Secrets in which is kept what is known of a source's related objects. */
  public static final String RECORD_LABEL = SyncMarks.GROUP + "/related-object";

  /** What the agent keeps of a source in a Secret has the source's marks, and is no copy. */
  private static final String NOT_KEPT = ",!" + SyncMarks.OBJECT_STATE + ",!" + RECORD_LABEL;

  /** A label selector that finds all copies, whosever they are. */
  public static final String COPIES = SyncMarks.SOURCE_CLUSTER + NOT_KEPT;

  public Map<String, String> labels() {
    var labels = identityLabels(source);
    labels.put(SyncMarks.AGENT_NAME, agentName);
    return labels;
  }

  public Map<String, String> annotations() {
    var annotations = new LinkedHashMap<String, String>();
    annotations.put(SyncMarks.SOURCE_NAME, source.name());
    if (!source.namespace().isEmpty()) {
      annotations.put(SyncMarks.SOURCE_NAMESPACE, source.namespace());
    }
    path.ifPresent(value -> annotations.put(SyncMarks.SOURCE_WORKSPACE_PATH, value));
    return annotations;
  }

  /**
   * A Secret of the agent's own with these marks; the label tells one sort of them from another.
   */
  public KubeObject secret(
      String namespace, String name, Map.Entry<String, String> label, Map<String, String> data) {
    return KubeObject.of(ResourceType.core("secrets"), "Secret", namespace, name)
        .with(labels(), "metadata", "labels")
        .with(label.getValue(), "metadata", "labels", label.getKey())
        .with(annotations(), "metadata", "annotations")
        .with(data, "data");
  }

  /** What finds the copies of a source; equal for two objects only if they are its copies. */
  public static String identity(ObjectKey source) {
    return identity(identityLabels(source));
  }

  /**
   * As {@link #identity(ObjectKey)} of the object's source; empty if it is no copy. Annotations
   * stand in for labels that were removed.
   */
  public static String identityOf(KubeObject copy) {
    Map<String, String> labels = copy.labels();
    return labels.containsKey(SyncMarks.SOURCE_CLUSTER)
            && labels.containsKey(SyncMarks.SOURCE_NAME_HASH)
        ? identity(labels)
        : sourceOf(copy).map(SourceMarks::identity).orElse("");
  }

  /** A label selector that finds the copies of a source on the server, whichever agent's. */
  public static String selector(ObjectKey source) {
    return identityLabels(source).entrySet().stream()
        .map(label -> label.getKey() + "=" + label.getValue())
        .collect(Collectors.joining(",", "", NOT_KEPT));
  }

  /** The source that the copy names; empty for a copy with damaged marks, or no copy at all. */
  public static Optional<ObjectKey> sourceOf(KubeObject copy) {
    String cluster = copy.labels().getOrDefault(SyncMarks.SOURCE_CLUSTER, "");
    String name = copy.annotation(SyncMarks.SOURCE_NAME).orElse("");
    if (name.isEmpty() || !cluster.matches("[a-z0-9-]{1,64}")) {
      return Optional.empty();
    }
    return Optional.of(
        new ObjectKey(
            new LogicalCluster(cluster),
            copy.annotation(SyncMarks.SOURCE_NAMESPACE).orElse(""),
            name));
  }

  /**
   * The sources that a copy may be of: the one that it names, or, if its annotations are damaged,
   * those among the candidates that its labels fit.
   */
  public static List<ObjectKey> sourcesOf(
      KubeObject copy, Supplier<? extends Collection<ObjectKey>> candidates) {
    Optional<ObjectKey> named = sourceOf(copy);
    if (named.isPresent()) {
      return List.of(named.get());
    }
    String identity = identityOf(copy);
    return identity.isEmpty()
        ? List.of()
        : candidates.get().stream().filter(key -> identity(key).equals(identity)).toList();
  }

  /**
   * Whether a copy may be this agent's: without an agent's mark its other marks decide. What
   * carries another agent's mark is that one's, also if it is of a source of the same name: one
   * workspace may bind the exports of several agents.
   */
  public static boolean mayBeOf(String agentName, KubeObject copy) {
    return agentOf(copy).map(agentName::equals).orElse(true);
  }

  /** The agent whose mark an object carries; empty for none. */
  public static Optional<String> agentOf(KubeObject object) {
    return Optional.ofNullable(object.labels().get(SyncMarks.AGENT_NAME));
  }

  /** Whether it carries any source's or any agent's mark. */
  public static boolean isMarked(KubeObject object) {
    return object.labels().containsKey(SyncMarks.SOURCE_CLUSTER)
        || object.labels().containsKey(SyncMarks.SOURCE_NAME_HASH)
        || object.labels().containsKey(SyncMarks.AGENT_NAME)
        || object.annotation(SyncMarks.SOURCE_NAME).isPresent();
  }

  /** Whether every mark that is left names this source, and none another agent. */
  public boolean fitRemainingMarksOf(KubeObject object) {
    return isMarked(object)
        && agrees(object.labels(), labels())
        && agrees(object.annotations(), annotations());
  }

  private static boolean agrees(Map<String, String> there, Map<String, String> ours) {
    return ours.entrySet().stream()
        .allMatch(
            mark -> there.getOrDefault(mark.getKey(), mark.getValue()).equals(mark.getValue()));
  }

  private static LinkedHashMap<String, String> identityLabels(ObjectKey source) {
    var labels = new LinkedHashMap<String, String>();
    labels.put(SyncMarks.SOURCE_CLUSTER, source.cluster().name());
    labels.put(SyncMarks.SOURCE_NAME_HASH, Hashes.sha1(source.name()));
    if (!source.namespace().isEmpty()) {
      labels.put(SyncMarks.SOURCE_NAMESPACE_HASH, Hashes.sha1(source.namespace()));
    }
    return labels;
  }

  private static String identity(Map<String, String> labels) {
    return labels.get(SyncMarks.SOURCE_CLUSTER)
        + "|"
        + labels.getOrDefault(SyncMarks.SOURCE_NAMESPACE_HASH, "")
        + "|"
        + labels.get(SyncMarks.SOURCE_NAME_HASH);
  }
}
