package dev.mooring.syncagent.content.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The part of an object that is kept in step: every top-level field but {@code apiVersion}, {@code
 * kind}, {@code status} and {@code metadata}, and of the metadata those labels and annotations that
 * are not the machinery's own.
 */
public final class SyncedContent {
  private static final Set<String> NOT_CONTENT = Set.of("apiVersion", "kind", "status", "metadata");

  /** No consumer may set these on a copy: one could detach it from its agent. */
  private static final String MARKS_PREFIX = SyncMarks.GROUP + "/";

  private static final String CLAIM_PREFIX = "claimed.internal.apis.kcp.io/";
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  /** In place of a value that may or may not be in the copy; no object has this value. */
  private static final String BEING_WRITTEN = MARKS_PREFIX + "being-written";

  /** Differing fields that are named: enough to see what it is about. */
  public static final int DRIFT_LISTED_MAX = 5;

  private SyncedContent() {}

  /**
   * The content as a tree: labels and annotations below {@code metadata}, absent where there are
   * none.
   */
  public static Map<String, Object> of(KubeObject object) {
    var content = new LinkedHashMap<String, Object>();
    Map<String, Object> metadata = metadata(object);
    if (!metadata.isEmpty()) {
      content.put("metadata", metadata);
    }
    object
        .tree()
        .forEach((field, value) -> {
          if (!NOT_CONTENT.contains(field)) {
            content.put(field, value);
          }
        });
    return Trees.freezeMap(content);
  }

  /** A new object of the given type and place with this content. */
  public static KubeObject asObject(
      Map<String, Object> content, String apiVersion, String kind, String namespace, String name) {
    var root = new LinkedHashMap<String, Object>();
    root.put("apiVersion", apiVersion);
    root.put("kind", kind);
    var metadata = new LinkedHashMap<String, Object>(Trees.map(content, "metadata"));
    metadata.put("name", name);
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    root.put("metadata", metadata);
    content.forEach(root::putIfAbsent);
    return KubeObject.of(root);
  }

  /**
   * The copy after the source went from {@code lastKnown} to {@code desired}: what was changed in
   * the copy alone stays, lists are replaced whole.
   *
   * @param lastKnown may have {@link ValueDigests}
   */
  public static KubeObject threeWay(
      KubeObject copy, Map<String, Object> lastKnown, Map<String, Object> desired) {
    Map<String, Object> before = ValueDigests.resolved(lastKnown, desired);
    return MergePatch.apply(copy, MergePatch.diff(withMetadata(before), withMetadata(desired)));
  }

  /** A source that lost its last label lost a label, not the whole of its metadata. */
  private static Map<String, Object> withMetadata(Map<String, Object> content) {
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("labels", Trees.map(content, "metadata", "labels"));
    metadata.put("annotations", Trees.map(content, "metadata", "annotations"));
    var whole = new LinkedHashMap<>(content);
    whole.put("metadata", metadata);
    return whole;
  }

  /**
   * What is known before a write that turns {@code known} into {@code desired}, and until its
   * answer is recorded: which of the two the copy has is open, so the next {@link #threeWay} writes
   * each field that differs, also if it has its old value by then.
   *
   * @param known may have {@link ValueDigests}
   */
  public static Map<String, Object> unsettled(
      Map<String, Object> known, Map<String, Object> desired) {
    return differencesOpen(ValueDigests.resolved(known, desired), desired);
  }

  private static Map<String, Object> differencesOpen(
      Map<String, Object> known, Map<String, Object> desired) {
    var fields = new LinkedHashSet<>(known.keySet());
    fields.addAll(desired.keySet());
    var open = new LinkedHashMap<String, Object>();
    for (String field : fields) {
      Object before = known.get(field);
      Object after = desired.get(field);
      if (Objects.equals(before, after)) {
        open.put(field, before);
      } else {
        // Empty unless one of them is a map.
        var inner = differencesOpen(Trees.mapOrEmpty(before), Trees.mapOrEmpty(after));
        open.put(field, inner.isEmpty() ? BEING_WRITTEN : inner);
      }
    }
    return Trees.freezeMap(open);
  }

  /**
   * The copy where nothing is known of the past: each top-level field of {@code desired} replaces
   * the copy's, labels and annotations are added.
   */
  public static KubeObject overlay(KubeObject copy, Map<String, Object> desired) {
    KubeObject result = copy;
    for (Map.Entry<String, Object> field : desired.entrySet()) {
      if (!field.getKey().equals("metadata")) {
        result = result.with(field.getValue(), field.getKey());
      }
    }
    return MergePatch.apply(result, Map.of("metadata", Trees.map(desired, "metadata")));
  }

  /** The copy with every field that {@code desired} has as it is there. */
  public static KubeObject enforced(KubeObject copy, Map<String, Object> desired) {
    return MergePatch.apply(copy, desired);
  }

  /**
   * Paths of fields that {@code desired} has and that are something else in the copy, sorted; never
   * their values.
   */
  public static List<String> drift(KubeObject copy, Map<String, Object> desired) {
    var paths = new TreeSet<String>();
    collect("", patch(copy, enforced(copy, desired)), paths);
    return paths.stream().limit(DRIFT_LISTED_MAX).toList();
  }

  private static void collect(String path, Map<String, Object> patch, Set<String> paths) {
    patch.forEach((key, value) -> {
      String here = path.isEmpty() ? key : path + "." + key;
      if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
        collect(here, Trees.mapOrEmpty(inner), paths);
      } else {
        paths.add(here);
      }
    });
  }

  /** With the given labels and annotations set. */
  public static KubeObject marked(
      KubeObject object, Map<String, String> labels, Map<String, String> annotations) {
    return MergePatch.apply(
        object, Map.of("metadata", Map.of("labels", labels, "annotations", annotations)));
  }

  /** What a merge patch has to say to turn one into the other; empty if they are equal. */
  public static Map<String, Object> patch(KubeObject from, KubeObject to) {
    return MergePatch.diff(from.tree(), to.tree());
  }

  private static Map<String, Object> metadata(KubeObject object) {
    var metadata = new LinkedHashMap<String, Object>();
    for (String map : new String[] {"labels", "annotations"}) {
      var kept = new TreeMap<String, Object>();
      object
          .map("metadata", map)
          .forEach((key, value) -> {
            if (travels(key)) {
              kept.put(key, value);
            }
          });
      if (!kept.isEmpty()) {
        metadata.put(map, kept);
      }
    }
    return metadata;
  }

  private static boolean travels(String key) {
    return !key.startsWith(MARKS_PREFIX)
        && !key.startsWith(SyncMarks.RELATED_PREFIX)
        && !key.startsWith(CLAIM_PREFIX)
        && !key.equals(LogicalCluster.ANNOTATION)
        && !key.equals(LAST_APPLIED);
  }
}
