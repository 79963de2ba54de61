package dev.mooring.depwebhook.reading;

import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Lets concurrent callers share one list, and what they evaluate alike in its objects. A caller is
 * answered by a list that was requested after its call: an earlier list may miss a write in
 * between, so calls during a list share the next one. Nothing is cached. Thread-safe.
 */
public final class JoinedScans {
  /** Objects between two checks whether the seekers have enough. */
  static final int OBJECTS_BETWEEN = 100;

  private final RequestCoalescer<Key, Seat> requests = new RequestCoalescer<>();

  private record Key(Object cluster, ResourceType type, ListQuery query, FieldMask keep) {}

  /** A caller's search. Called by one thread at a time, not the caller's. */
  public interface Seeker {
    /** In the server's order; delays all callers of the list, so it must be quick. */
    void see(ListedObject object);

    /** Whether the rest need not be read; must not block. */
    boolean hasEnough();
  }

  /** A waiting caller. */
  private static final class Seat {
    private final Seeker seeker;
    private final CompletableFuture<Search> end = new CompletableFuture<>();

    Seat(Seeker seeker) {
      this.seeker = seeker;
    }

    boolean taken() {
      return !end.isDone();
    }

    /** A seeker that fails leaves; the others continue. */
    void see(ListedObject object) {
      if (taken()) {
        try {
          seeker.see(object);
        } catch (RuntimeException | Error e) {
          end.completeExceptionally(e);
        }
      }
    }

    void leaveIfEnough() {
      try {
        if (taken() && seeker.hasEnough()) {
          end.complete(Search.STOPPED_EARLY);
        }
      } catch (RuntimeException | Error e) {
        end.completeExceptionally(e);
      }
    }
  }

  /** Passes one list to its callers until all have left. */
  private static final class Showing implements Predicate<KubeObject> {
    private final List<Seat> taken;
    private int shown;

    /**
     * @param taken callers that left are removed
     */
    Showing(List<Seat> taken) {
      this.taken = taken;
    }

    @Override
    public boolean test(KubeObject object) {
      var listed = new ListedObject(object);
      taken.forEach(seat -> seat.see(listed));
      if (++shown % OBJECTS_BETWEEN != 0) {
        return true;
      }
      taken.forEach(Seat::leaveIfEnough);
      taken.removeIf(seat -> !seat.taken());
      return !taken.isEmpty();
    }
  }

  /**
   * Reads the list from its beginning until the seeker has enough. A failure is a {@link
   * KubeFailure} for all callers of the list; what the seeker saw is then void.
   *
   * @param cluster equal for readers of the same cluster
   * @param query with a limit for pages; no continue token
   * @param keep the fields that are needed; others may be left out
   * @param deadline of the caller
   */
  public Search scan(
      Object cluster,
      KubeReader reader,
      ResourceType type,
      ListQuery query,
      FieldMask keep,
      Seeker seeker,
      Deadline deadline) {
    var seat = new Seat(seeker);
    var key = new Key(cluster, type, query, keep);
    requests.join(
        key,
        seat,
        seats -> {
          read(reader, key, seats);
          return () -> {};
        });
    try {
      return deadline.await(seat.end, "GET " + type.resource());
    } finally {
      // The list does not continue for a caller that left.
      seat.end.cancel(false);
    }
  }

  private static void read(KubeReader reader, Key key, List<Seat> seats) {
    var taken = new ArrayList<>(seats);
    try {
      ListQuery query = key.query;
      while (true) {
        taken.removeIf(seat -> !seat.taken());
        if (taken.isEmpty()) {
          return;
        }
        Optional<ListEnd> end = reader.scan(key.type, query, key.keep, new Showing(taken));
        if (end.isEmpty()) {
          return;
        }
        if (end.get().continueToken().isEmpty()) {
          taken.forEach(seat -> seat.end.complete(Search.COMPLETE));
          return;
        }
        taken.forEach(Seat::leaveIfEnough);
        query = query.after(end.get().continueToken());
      }
    } catch (RuntimeException | Error e) {
      taken.forEach(seat -> seat.end.completeExceptionally(e));
    }
  }
}
