package dev.mooring.runtime.client;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Lets many callers who want one object at the same time share a read of it. Whoever asks is
 * answered by a read that began after that: those who ask while one is under way wait for the next,
 * together. A server that is slow for so many readers is thus asked less, never more, and nothing
 * is remembered. Thread-safe; what is in progress is all it holds.
 */
public final class JoinedReads {
  private final Map<Key, Line> lines = new HashMap<>();

  private record Key(Object cluster, ResourceType type, String namespace, String name) {}

  /** The reads of one object: one under way, and at most one more that waits for its end. */
  private static final class Line {
    private CompletableFuture<Optional<KubeObject>> running;
    private CompletableFuture<Optional<KubeObject>> next;
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

  private CompletableFuture<Optional<KubeObject>> read(
      Key key, Supplier<Optional<KubeObject>> read) {
    synchronized (lines) {
      Line line = lines.get(key);
      if (line == null) {
        var first = new Line();
        first.running = new CompletableFuture<>();
        lines.put(key, first);
        begin(key, first.running, read);
        return first.running;
      }
      if (line.next == null) {
        var next = new CompletableFuture<Optional<KubeObject>>();
        line.next = next;
        line.running.whenComplete((_, _) -> begin(key, next, read));
      }
      return line.next;
    }
  }

  /** On a thread of its own: no caller's interruption is another's failure. */
  private void begin(
      Key key,
      CompletableFuture<Optional<KubeObject>> answer,
      Supplier<Optional<KubeObject>> read) {
    Thread.ofVirtual()
        .name("joined-read")
        .start(() -> {
          Optional<KubeObject> found = Optional.empty();
          Throwable failure = null;
          try {
            found = read.get();
          } catch (RuntimeException | Error e) {
            failure = e;
          }
          moveUp(key);
          if (failure == null) {
            answer.complete(found);
          } else {
            answer.completeExceptionally(failure);
          }
        });
  }

  private void moveUp(Key key) {
    synchronized (lines) {
      Line line = lines.get(key);
      if (line.next == null) {
        lines.remove(key);
      } else {
        line.running = line.next;
        line.next = null;
      }
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
      var answer =
          read(new Key(cluster, type, namespace, name), () -> direct.find(type, namespace, name));
      try {
        return answer.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException failure) {
          throw failure;
        }
        throw new IllegalStateException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Failures.unanswered("GET " + type.resource() + " " + name, e);
      }
    }

    @Override
    public KubeList list(ResourceType type, ListQuery query) {
      return direct.list(type, query);
    }

    @Override
    public ListEnd scan(
        ResourceType type, ListQuery query, FieldMask keep, Consumer<KubeObject> each) {
      return direct.scan(type, query, keep, each);
    }

    @Override
    public KubeObject document(String path) {
      return direct.document(path);
    }
  }
}
