package dev.mooring.model.object;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One Kubernetes object as an immutable tree, never bean-mapped: every field that came in is still
 * there. Changes are made with {@link #with} and {@link #without}, which share the untouched
 * branches. Accessors of metadata are lenient: a field of another type counts as absent.
 */
public final class KubeObject {
  private final Map<String, Object> tree;

  private KubeObject(Map<String, Object> tree) {
    this.tree = tree;
  }

  /**
   * A deep copy of the given document; throws {@link IllegalArgumentException} for anything that is
   * not JSON.
   */
  public static KubeObject of(Map<String, ?> tree) {
    return new KubeObject(Trees.freezeMap(tree));
  }

  /**
   * A new object.
   *
   * @param namespace empty for a cluster-scoped one
   */
  public static KubeObject of(ResourceType type, String kind, String namespace, String name) {
    var metadata = Trees.ordered("name", name);
    Trees.putUnlessEmpty(metadata, "namespace", namespace);
    return of(Trees.ordered("apiVersion", type.apiVersion(), "kind", kind, "metadata", metadata));
  }

  /**
   * Takes the tree as it is. For codecs only: nothing else may hold a reference through which the
   * tree, at any depth, can be changed, and its values must be those that {@link Trees} allows.
   */
  public static KubeObject owning(Map<String, Object> frozen) {
    return new KubeObject(frozen);
  }

  /** Unmodifiable at every depth; see {@link Trees} for the types of values. */
  public Map<String, Object> tree() {
    return tree;
  }

  /** The value at a path of map keys; null where a step is missing, null, or not a map. */
  public @Nullable Object at(String... path) {
    return Trees.at(tree, path);
  }

  /** The string at a path; empty where there is none. */
  public String text(String... path) {
    return Trees.textOrEmpty(at(path));
  }

  /** The list at a path; empty where there is none. */
  public List<Object> list(String... path) {
    return Trees.listOrEmpty(at(path));
  }

  /** The map at a path; empty where there is none. */
  public Map<String, Object> map(String... path) {
    return Trees.mapOrEmpty(at(path));
  }

  /**
   * With a copy of {@code value} at the path; missing maps are made, anything else in the way is
   * replaced.
   */
  public KubeObject with(@Nullable Object value, String... path) {
    if (path.length == 0) {
      throw new IllegalArgumentException("a path needs at least one step");
    }
    return new KubeObject(Trees.with(tree, Trees.freeze(value), path, 0));
  }

  /** Without what is at the path; this very object if nothing is there. */
  public KubeObject without(String... path) {
    Map<String, Object> pruned = Trees.without(tree, path, 0);
    return pruned == tree ? this : new KubeObject(pruned);
  }

  public String apiVersion() {
    return text("apiVersion");
  }

  public String kind() {
    return text("kind");
  }

  public String name() {
    return text("metadata", "name");
  }

  /** Empty for a cluster-scoped object. */
  public String namespace() {
    return text("metadata", "namespace");
  }

  public String uid() {
    return text("metadata", "uid");
  }

  /** Opaque; comparable for equality only. Empty if the object was never stored. */
  public String resourceVersion() {
    return text("metadata", "resourceVersion");
  }

  /** 0 where the type has no generation. */
  public long generation() {
    return at("metadata", "generation") instanceof Long number ? number : 0;
  }

  public Map<String, String> labels() {
    return Trees.textEntries(at("metadata", "labels"));
  }

  public Map<String, String> annotations() {
    return Trees.textEntries(at("metadata", "annotations"));
  }

  public Optional<String> annotation(String key) {
    return map("metadata", "annotations").get(key) instanceof String value
        ? Optional.of(value)
        : Optional.empty();
  }

  public List<String> finalizers() {
    return Trees.texts(at("metadata", "finalizers"));
  }

  public boolean hasFinalizer(String finalizer) {
    return list("metadata", "finalizers").contains(finalizer);
  }

  /** With what the other object has at the path; without anything there if it has nothing. */
  public KubeObject withPartOf(KubeObject other, String... path) {
    Object value = other.at(path);
    return value == null ? without(path) : with(value, path);
  }

  /**
   * An equal object that has the other's very values at the top-level fields that are equal, so
   * that both together take less memory.
   */
  public KubeObject sharing(KubeObject other) {
    KubeObject result = this;
    for (Map.Entry<String, Object> field : other.tree.entrySet()) {
      Object mine = tree.get(field.getKey());
      if (mine instanceof Frozen && mine != field.getValue() && mine.equals(field.getValue())) {
        result = result.with(field.getValue(), field.getKey());
      }
    }
    return result;
  }

  /** With these finalizers; without the field if there are none. */
  public KubeObject withFinalizers(List<String> finalizers) {
    return finalizers.isEmpty()
        ? without("metadata", "finalizers")
        : with(finalizers, "metadata", "finalizers");
  }

  /** With the finalizer as the last one, unless the object has it. */
  public KubeObject withFinalizer(String finalizer) {
    return hasFinalizer(finalizer)
        ? this
        : withFinalizers(Stream.concat(finalizers().stream(), Stream.of(finalizer)).toList());
  }

  public KubeObject withoutFinalizer(String finalizer) {
    return withFinalizers(finalizers().stream().filter(it -> !it.equals(finalizer)).toList());
  }

  /** Whether deletion was requested: the object goes once its last finalizer goes. */
  public boolean deleting() {
    return at("metadata", "deletionTimestamp") != null;
  }

  /** The status of a condition: True, False or Unknown; empty if the object does not have it. */
  public String condition(String type) {
    return list("status", "conditions").stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.textOrEmpty(Trees.at(condition, "status")))
        .findFirst()
        .orElse("");
  }

  public boolean hasCondition(String type) {
    return condition(type).equals("True");
  }

  /**
   * Whose object it is, as kcp says; empty for one that came from a plain Kubernetes API server,
   * unless a client set the annotation.
   */
  public Optional<LogicalCluster> logicalCluster() {
    return annotation(LogicalCluster.ANNOTATION).flatMap(LogicalCluster::parse);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KubeObject that && tree.equals(that.tree);
  }

  @Override
  public int hashCode() {
    return tree.hashCode();
  }

  /** Names the object, never its content: contents of Secrets must not reach a log. */
  @Override
  public String toString() {
    String namespace = namespace();
    return kind()
        + " "
        + (namespace.isEmpty() ? "" : namespace + "/")
        + name()
        + " ("
        + resourceVersion()
        + ")";
  }
}
