package dev.mooring.depwebhook.reading;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Lets concurrent callers share the read of one object. A caller is answered by a read that started
 * after its call: calls during a read share the next one. Between two shared reads there is a pause
 * of the interval, or of the last read's duration if that is shorter. So a slow server gets fewer
 * reads; sequential callers do not wait. Nothing is cached. Thread-safe.
 */
public final class JoinedReads {
  private final RequestCoalescer<Key, CompletableFuture<Optional<KubeObject>>> requests;

  private record Key(Object cluster, ResourceType type, String namespace, String name) {}

  /**
   * @param interval between reads of an object; what a caller waits longer at most
   * @param clock that does not jump
   */
  public JoinedReads(Duration interval, InstantSource clock, Scheduler scheduler) {
    this.requests = new RequestCoalescer<>(took -> rest(interval, took), clock, scheduler);
  }

  private static Duration rest(Duration interval, Duration took) {
    Duration left = interval.minus(took);
    return Collections.max(List.of(left, Collections.min(List.of(took, interval))));
  }

  /**
   * Joins reads of single objects; lists and documents go straight to the server.
   *
   * @param cluster equal for readers of the same cluster
   */
  public KubeReader of(Object cluster, KubeReader direct) {
    return new KubeReader() {
      @Override
      public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
        var answer = new CompletableFuture<Optional<KubeObject>>();
        var key = new Key(cluster, type, namespace, name);
        requests.join(key, answer, answers -> read(direct, key, answers));
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
    };
  }

  private static Runnable read(
      KubeReader reader, Key key, List<CompletableFuture<Optional<KubeObject>>> answers) {
    try {
      Optional<KubeObject> found = reader.find(key.type, key.namespace, key.name);
      return () -> answers.forEach(answer -> answer.complete(found));
    } catch (RuntimeException | Error e) {
      return () -> answers.forEach(answer -> answer.completeExceptionally(e));
    }
  }
}
