package dev.mooring.runtime.client;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Lets many callers who want one object at the same time share a read of it. Whoever asks is
 * answered by a read that began after that: those who ask while one is under way wait for the next,
 * together, and that begins no sooner than a rest after it, of {@value #RESTS} times as long as it
 * took. A server that is slow for so many readers is thus asked less, never more; one that is quick
 * makes hardly anybody wait. Nothing is remembered. Thread-safe; what is in progress is all it
 * holds.
 */
public final class JoinedReads {
  /** So that a fifth of the time, at most, goes into the reading of any one object. */
  static final int RESTS = 4;

  private final Batches<Key, CompletableFuture<Optional<KubeObject>>> batches;

  private record Key(Object cluster, ResourceType type, String namespace, String name) {}

  /**
   * @param restMax between a read of an object and the next one of it: what a caller waits longer
   *     at most
   * @param clock that does not jump
   */
  public JoinedReads(Duration restMax, InstantSource clock, Scheduler scheduler) {
    Objects.requireNonNull(restMax, "restMax");
    this.batches =
        new Batches<>(
            took -> {
              Duration rest = took.multipliedBy(RESTS);
              return rest.compareTo(restMax) < 0 ? rest : restMax;
            },
            clock,
            scheduler);
  }

  /**
   * Joins reads of single objects; lists and documents go straight to the server.
   *
   * @param cluster equal for readers of the same cluster
   */
  public KubeReader of(Object cluster, KubeReader direct) {
    return new Joined(
        Objects.requireNonNull(cluster, "cluster"), Objects.requireNonNull(direct, "direct"));
  }

  private static void read(
      KubeReader reader, Key key, List<CompletableFuture<Optional<KubeObject>>> answers) {
    try {
      Optional<KubeObject> found = reader.find(key.type, key.namespace, key.name);
      answers.forEach(answer -> answer.complete(found));
    } catch (RuntimeException | Error e) {
      answers.forEach(answer -> answer.completeExceptionally(e));
    }
  }

  private final class Joined implements KubeReader {
    private final Object cluster;
    private final KubeReader direct;

    Joined(Object cluster, KubeReader direct) {
      this.cluster = cluster;
      this.direct = direct;
    }

    @Override
    public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
      var answer = new CompletableFuture<Optional<KubeObject>>();
      var key = new Key(cluster, type, namespace, name);
      batches.join(key, answer, answers -> read(direct, key, answers));
      return PendingRead.await(answer, "GET " + type.resource() + " " + name);
    }

    @Override
    public KubeList list(ResourceType type, ListQuery query) {
      return direct.list(type, query);
    }

    @Override
    public Optional<ListEnd> scan(
        ResourceType type, ListQuery query, FieldMask keep, Predicate<KubeObject> each) {
      return direct.scan(type, query, keep, each);
    }

    @Override
    public KubeObject document(String path) {
      return direct.document(path);
    }
  }
}
