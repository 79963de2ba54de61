package dev.mooring.depwebhook.race;

import com.google.common.hash.Hashing;
import com.google.common.util.concurrent.Striped;
import dev.mooring.depwebhook.race.decide.DeletionClaim;
import dev.mooring.depwebhook.race.decide.RaceTimings;
import dev.mooring.depwebhook.race.decide.ReferenceClaim;
import dev.mooring.depwebhook.race.decide.Refusal;
import dev.mooring.depwebhook.race.decide.RegisterKey;
import dev.mooring.depwebhook.race.decide.RegisterLease;
import dev.mooring.depwebhook.race.decide.RegisterPage;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.ListQuery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The race register: for each name of a target one Lease {@code race-<hash>} with claimed
 * references and claimed deletions, all in one workspace. Reads are GETs by name, which an API
 * server answers by quorum. Writes have the resource version that was read as their precondition,
 * so each write returns the records that preceded it. Thread-safe.
 */
final class RegisterStore {
  /** Of writes with a conflict; each conflict is another replica's successful write. */
  static final int ATTEMPTS_MAX = 20;

  /** Half of a review's time. */
  private static final Duration TURN_MAX = Duration.ofSeconds(5);

  private static final int SWEEP_PAGE = 500;

  private final KubeClient workspace;
  private final String namespace;
  private final InstantSource clock;
  private final RaceTimings timings;

  /**
   * Threads of one replica queue here for a Lease instead of causing conflicts. Names may share a
   * lock.
   */
  private final Striped<Lock> turns = Striped.lock(256);

  /**
   * @param workspace of the dependencies' APIExport
   * @param namespace of the Leases; it has to exist
   */
  RegisterStore(KubeClient workspace, String namespace, InstantSource clock, RaceTimings timings) {
    this.workspace = workspace;
    this.namespace = namespace;
    this.clock = clock;
    this.timings = timings;
  }

  /** The register could not be read or written; for a write: it may or may not have happened. */
  static final class RegisterFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    RegisterFailure(Refusal refusal) {
      super(refusal.toString());
      this.refusal = refusal;
    }

    RegisterFailure(String problem, @Nullable Throwable cause) {
      super(problem, cause);
      this.refusal = new Refusal.Unknown(problem);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }

    Refusal refusal() {
      return refusal;
    }
  }

  /** Throws {@link RegisterFailure}, as all methods here do. */
  RegisterPage page(RegisterKey key) {
    return page(read(name(key)));
  }

  /** Returns the page with what preceded the reference claim. */
  RegisterPage claimReference(RegisterKey key, ReferenceClaim claim) {
    return change(key, this::read, page -> page.with(claim, clock.instant(), timings));
  }

  /**
   * Returns the page with what preceded the deletion claim. Most targets are deleted once, long
   * after the last reference to them, and have no Lease: so it is created without a read, and a
   * conflict leads to one.
   */
  RegisterPage claimDeletion(RegisterKey key, DeletionClaim claim) {
    return change(key, _ -> Optional.empty(), page -> page.with(claim, clock.instant(), timings));
  }

  /** Removes a reference claim or deletion claim, also if it was never recorded. */
  void withdraw(RegisterKey key, String id) {
    change(key, this::read, page -> Optional.of(page.without(id)));
  }

  /**
   * Deletes expired Leases.
   *
   * @param most in one call
   * @return the number of deleted Leases
   */
  int sweep(int most) {
    int swept = 0;
    ListQuery query =
        ListQuery.ALL.inNamespace(namespace).withLabels(RegisterLease.LABEL).withLimit(SWEEP_PAGE);
    while (true) {
      KubeList page = workspace.list(RegisterLease.TYPE, query);
      for (KubeObject lease : page.items()) {
        if (swept < most && isExpired(lease) && removed(lease)) {
          swept++;
        }
      }
      if (swept >= most || page.continueToken().isEmpty()) {
        return swept;
      }
      query = query.after(page.continueToken());
    }
  }

  private boolean isExpired(KubeObject lease) {
    try {
      return RegisterLease.page(lease).isExpired(clock.instant(), timings);
    } catch (RegisterLease.Unreadable e) {
      return false;
    }
  }

  /** False if it was written since it was read. */
  private boolean removed(KubeObject lease) {
    try {
      workspace.delete(
          RegisterLease.TYPE,
          namespace,
          lease.name(),
          new DeleteCondition.Unchanged(lease.uid(), lease.resourceVersion()));
      return true;
    } catch (KubeFailure e) {
      if (e.kind() == KubeFailure.Kind.NOT_FOUND || e.kind() == KubeFailure.Kind.CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Reads, changes and writes until no other write came in between.
   *
   * @param first the Lease of that name, read or assumed: a write on a wrong assumption fails, and
   *     the Lease is read
   * @param change empty if there is no room for a record
   * @return the page as written, or as read if there was nothing to change
   */
  private RegisterPage change(
      RegisterKey key,
      Function<String, Optional<KubeObject>> first,
      Function<RegisterPage, Optional<RegisterPage>> change) {
    String name = name(key);
    Lock turn = turn(name);
    try {
      for (int attempt = 1; ; attempt++) {
        Optional<KubeObject> lease = attempt == 1 ? first.apply(name) : read(name);
        RegisterPage before = page(lease);
        RegisterPage after =
            change.apply(before).orElseThrow(() -> new RegisterFailure(new Refusal.Full()));
        if (after.equals(before) || written(lease, after, key)) {
          return after;
        }
        if (attempt == ATTEMPTS_MAX) {
          throw new RegisterFailure(
              "Lease %s/%s was written by others %d times in a row"
                  .formatted(namespace, name, ATTEMPTS_MAX),
              null);
        }
      }
    } finally {
      turn.unlock();
    }
  }

  private Lock turn(String name) {
    Lock turn = turns.get(name);
    try {
      if (turn.tryLock(TURN_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        return turn;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new RegisterFailure(
        "Lease %s/%s of the race register is written by too many at once"
            .formatted(namespace, name),
        null);
  }

  /** False on a conflict. */
  private boolean written(Optional<KubeObject> lease, RegisterPage page, RegisterKey key) {
    String name = name(key);
    Instant now = clock.instant();
    try {
      if (lease.isPresent()) {
        // With uid and resource version as read: a deleted Lease is not created again.
        workspace.update(RegisterLease.TYPE, RegisterLease.with(lease.get(), page, now, timings));
      } else {
        KubeObject empty = RegisterLease.empty(namespace, name, key);
        workspace.create(RegisterLease.TYPE, RegisterLease.with(empty, page, now, timings));
      }
      return true;
    } catch (KubeFailure e) {
      return switch (e.kind()) {
        case CONFLICT, ALREADY_EXISTS -> false;
        case NOT_FOUND -> {
          if (lease.isEmpty()) {
            throw failure("write", name, e);
          }
          yield false;
        }
        case NOT_SERVED, INVALID, FORBIDDEN, UNAUTHORIZED, GONE, TOO_LARGE, UNAVAILABLE ->
            throw failure("write", name, e);
      };
    }
  }

  private Optional<KubeObject> read(String name) {
    try {
      return workspace.find(RegisterLease.TYPE, namespace, name);
    } catch (KubeFailure e) {
      throw failure("read", name, e);
    }
  }

  private static RegisterPage page(Optional<KubeObject> lease) {
    try {
      return lease.map(RegisterLease::page).orElse(RegisterPage.EMPTY);
    } catch (RegisterLease.Unreadable e) {
      throw new RegisterFailure(String.valueOf(e.getMessage()), e);
    }
  }

  private RegisterFailure failure(String verb, String name, KubeFailure e) {
    String text =
        "the webhook could not %s Lease %s/%s of its race register: %s"
            .formatted(verb, namespace, name, e.getMessage());
    String help =
        switch (e.kind()) {
          case FORBIDDEN, UNAUTHORIZED ->
              ("; let the webhook's user get, list, create, update and delete"
                      + " leases.coordination.k8s.io in namespace %s of the workspace of the"
                      + " dependencies' APIExport")
                  .formatted(namespace);
          case NOT_FOUND ->
              "; create namespace %s in the workspace of the dependencies' APIExport"
                  .formatted(namespace);
          default -> "";
        };
    return new RegisterFailure(text + help, e);
  }

  private static String name(RegisterKey key) {
    return "race-" + Hashing.sha256().hashString(key.toString(), StandardCharsets.UTF_8);
  }
}
