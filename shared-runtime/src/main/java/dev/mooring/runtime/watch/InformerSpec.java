package dev.mooring.runtime.watch;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What an informer holds.
 *
 * @param query which objects of the type
 * @param kept what of each object is held; must keep its metadata's name, namespace, uid,
 *     resourceVersion and annotation of the cluster, must not fail, and is applied twice to what is
 *     listed
 * @param indexes by name, each giving the values under which an object is found; must not fail
 * @param afterWatch what is done when the server has ended a watch before it was asked to
 * @param room for what is kept; an informer that finds none for an object ends for good
 * @param maxStaleness the age up to which readers rely on {@link Informer#lastContact}, zero if
 *     they do not; below it that is kept, also where no object of the type changes
 */
public record InformerSpec(
    ResourceType type,
    ListQuery query,
    UnaryOperator<KubeObject> kept,
    Map<String, Function<KubeObject, ? extends Collection<String>>> indexes,
    AfterWatch afterWatch,
    CacheBudget room,
    Duration maxStaleness) {
  /** How an informer goes on. */
  public enum AfterWatch {
    /** From the last version received. */
    WATCH_ON,

    /**
     * With a new list. kcp's virtual workspaces end all watches of a type when its schema has
     * changed; what they sent just before may lack the fields that the old schema did not know,
     * under the same resource version as the whole object.
     */
    LIST_AGAIN
  }

  public InformerSpec {
    if (maxStaleness.isNegative()) {
      throw new IllegalArgumentException("no age: " + maxStaleness);
    }
    indexes = Map.copyOf(indexes);
  }

  /** Every object of the type. */
  public static InformerSpec of(ResourceType type) {
    return new InformerSpec(
        type,
        ListQuery.ALL,
        UnaryOperator.identity(),
        Map.of(),
        AfterWatch.WATCH_ON,
        CacheBudget.UNBOUNDED,
        Duration.ZERO);
  }

  public InformerSpec inNamespace(String name) {
    return selecting(query.inNamespace(name));
  }

  public InformerSpec withLabels(String selector) {
    return selecting(query.withLabels(selector));
  }

  public InformerSpec withFields(String selector) {
    return selecting(query.withFields(selector));
  }

  private InformerSpec selecting(ListQuery other) {
    return new InformerSpec(type, other, kept, indexes, afterWatch, room, maxStaleness);
  }

  /** Indexes see what is kept. */
  public InformerSpec keeping(UnaryOperator<KubeObject> what) {
    return new InformerSpec(type, query, what, indexes, afterWatch, room, maxStaleness);
  }

  public InformerSpec indexedBy(
      String name, Function<KubeObject, ? extends Collection<String>> values) {
    var more = new LinkedHashMap<>(indexes);
    more.put(name, values);
    return new InformerSpec(type, query, kept, more, afterWatch, room, maxStaleness);
  }

  public InformerSpec with(AfterWatch next) {
    return new InformerSpec(type, query, kept, indexes, next, room, maxStaleness);
  }

  public InformerSpec within(CacheBudget bound) {
    return new InformerSpec(type, query, kept, indexes, afterWatch, bound, maxStaleness);
  }

  public InformerSpec maxStaleness(Duration age) {
    return new InformerSpec(type, query, kept, indexes, afterWatch, room, age);
  }
}
