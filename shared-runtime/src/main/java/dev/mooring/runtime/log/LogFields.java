package dev.mooring.runtime.log;

import com.google.common.collect.ImmutableMap;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What a unit of work is about, such as one object or one review: every log line of the work has
 * these as structured fields. They are identifiers, never content of objects. Immutable.
 *
 * <p>Fields belong to the thread that opened them: work that goes on on another thread takes them
 * along by {@link #carry}.
 */
public final class LogFields {
  /** No fields. */
  public static final LogFields NONE = new LogFields(Map.of());

  private final Map<String, String> values;

  private LogFields(Map<String, String> values) {
    this.values = values;
  }

  /** The fields until they are closed, on the thread that opened them. */
  public interface Open extends AutoCloseable {
    /** Restores the thread's fields as they were before. */
    @Override
    void close();
  }

  /** The path of the object's workspace, where it is known. */
  public LogFields workspace(String path) {
    return with("workspace", path);
  }

  /** The object, and its logical cluster. */
  public LogFields object(GroupResource type, ObjectKey key) {
    return object(type, key.cluster(), key.namespace(), key.name());
  }

  /**
   * The object, and its logical cluster.
   *
   * @param name empty while the API server has not generated it
   */
  public LogFields object(
      GroupResource type, LogicalCluster cluster, String namespace, String name) {
    return with("logical_cluster", cluster.name())
        .with("type", type.toString())
        .with("namespace", namespace)
        .with("name", name);
  }

  public LogFields publishedResource(String name) {
    return with("published_resource", name);
  }

  /** A DependencyRule, which is the object. */
  public LogFields rule(ObjectKey rule) {
    return object(GroupResource.of(DependencyRule.TYPE), rule)
        .rules(List.of(DependencyRule.qualifiedName(rule)));
  }

  /** Rules about the object, by their qualified names. */
  public LogFields rules(List<String> qualifiedNames) {
    return with("rule", String.join(", ", qualifiedNames));
  }

  /**
   * The provider whose webhook configuration sent a review.
   *
   * @param cluster the name of its logical cluster; empty if the URL does not say
   */
  public LogFields provider(String cluster) {
    return with("provider", cluster);
  }

  /** The UID of a review. */
  public LogFields review(String uid) {
    return with("review", uid);
  }

  /** A workspace as URLs name it, by its path or its logical cluster. */
  public LogFields cluster(String pathOrName) {
    return pathOrName.contains(":") ? workspace(pathOrName) : with("logical_cluster", pathOrName);
  }

  /** Receives name and value of each field. */
  public void forEach(BiConsumer<String, String> receiver) {
    values.forEach(receiver);
  }

  private LogFields with(String name, String value) {
    return value.isEmpty()
        ? this
        : new LogFields(
            ImmutableMap.<String, String>builder()
                .putAll(values)
                .put("mooring." + name, value)
                .buildKeepingLast());
  }

  /** Adds these fields to the log lines of this thread. */
  public Open open() {
    Map<String, String> before = MDC.getCopyOfContextMap();
    values.forEach(MDC::put);
    return () -> restore(before);
  }

  /** The same work with the fields of the calling thread, for another thread. */
  public static Runnable carry(Runnable work) {
    Map<String, String> fields = MDC.getCopyOfContextMap();
    return () -> {
      Map<String, String> before = MDC.getCopyOfContextMap();
      restore(fields);
      try {
        work.run();
      } finally {
        restore(before);
      }
    };
  }

  private static void restore(@Nullable Map<String, String> fields) {
    if (fields == null) {
      MDC.clear();
    } else {
      MDC.setContextMap(fields);
    }
  }
}
