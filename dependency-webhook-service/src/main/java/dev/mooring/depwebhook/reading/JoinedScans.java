package dev.mooring.depwebhook.reading;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Lets many callers who look for something in one list at the same time share the reading of it.
 * Whoever asks is answered by a list whose first page was asked for after that: a list begun before
 * may miss what was written in between, so those who come while one is read wait for the next,
 * together. Nothing is remembered. Thread-safe.
 */
public final class JoinedScans {
  /** How many objects are read before the seekers are asked whether they have enough. */
  static final int OBJECTS_BETWEEN = 100;

  private final Batches<Key, Seat> batches = new Batches<>();

  private record Key(Object cluster, ResourceType type, ListQuery query, FieldMask keep) {}

  /** How far the reading went. */
  public enum Extent {
    ALL,
    /** There may be more, which the caller need not see. */
    STOPPED
  }

  /** Who looks for something. Called by one thread at a time, which is not the caller's. */
  public interface Seeker {
    /** In the server's order; holds up all others who share the list while it works. */
    void see(KubeObject object);

    /** Whether the rest need not be read; asked now and then, and not to wait for anything. */
    boolean hasEnough();
  }

  /** A caller who waits for the end of a list. */
  private static final class Seat {
    private final Seeker seeker;
    private final CompletableFuture<Extent> end = new CompletableFuture<>();

    Seat(Seeker seeker) {
      this.seeker = seeker;
    }

    boolean taken() {
      return !end.isDone();
    }

    /** A seeker that fails looks no further, and the others do. */
    void see(KubeObject object) {
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
          end.complete(Extent.STOPPED);
        }
      } catch (RuntimeException | Error e) {
        end.completeExceptionally(e);
      }
    }
  }

  /** Shows one list to all who share it, as long as somebody looks. */
  private static final class Showing implements Predicate<KubeObject> {
    private final List<Seat> taken;
    private int shown;

    /**
     * @param taken loses those who have left
     */
    Showing(List<Seat> taken) {
      this.taken = taken;
    }

    @Override
    public boolean test(KubeObject object) {
      taken.forEach(seat -> seat.see(object));
      if (++shown % OBJECTS_BETWEEN != 0) {
        return true;
      }
      taken.forEach(Seat::leaveIfEnough);
      taken.removeIf(seat -> !seat.taken());
      return !taken.isEmpty();
    }
  }

  /**
   * Reads the list from its beginning until the seeker has enough. If that fails, it is a {@link
   * KubeFailure} to all who share it; what the seeker saw is then void.
   *
   * @param cluster equal for readers of the same cluster
   * @param query with a limit for pages; no continue token
   * @param keep what each object is to have; the rest may be left out
   */
  public Extent scan(
      Object cluster,
      KubeReader reader,
      ResourceType type,
      ListQuery query,
      FieldMask keep,
      Seeker seeker) {
    var seat = new Seat(Objects.requireNonNull(seeker, "seeker"));
    var key = new Key(cluster, type, query, keep);
    batches.join(
        key,
        seat,
        seats -> {
          read(reader, key, seats);
          return () -> {};
        });
    try {
      return PendingRead.await(seat.end, "GET " + type.resource());
    } finally {
      // Nobody reads on for a caller who has gone.
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
          taken.forEach(seat -> seat.end.complete(Extent.ALL));
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
