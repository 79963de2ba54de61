package dev.mooring.depcontroller.leadership;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.lease.LeaderListener;
import dev.mooring.runtime.lease.LeaderLock;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.runtime.time.Ids;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether this replica is the one that writes. Thread-safe. */
public final class Leadership implements AutoCloseable {
  /** As the Go program's configuration is called. */
  private static final String LEASE = "dependency-controller";

  private final Optional<Election> election;
  private final AtomicReference<@Nullable Runnable> gained;

  /**
   * @param place of the Lease, for messages
   */
  private record Election(LeaderLock lock, String namespace, String place) {}

  private Leadership(Optional<Election> election, AtomicReference<@Nullable Runnable> gained) {
    this.election = election;
    this.gained = gained;
  }

  /** The only replica: it always writes. */
  public static Leadership unopposed() {
    return new Leadership(Optional.empty(), new AtomicReference<>());
  }

  /**
   * One of several: it writes while it holds the Lease.
   *
   * @param clock that never goes back
   */
  public static Leadership elected(KubeClient workspace, String namespace, InstantSource clock) {
    var gained = new AtomicReference<@Nullable Runnable>();
    var listener =
        new LeaderListener() {
          @Override
          public void leads() {
            Optional.ofNullable(gained.get()).ifPresent(Runnable::run);
          }

          @Override
          public void follows(Duration grace) {}
        };
    String identity = LEASE + "-" + Ids.random().next();
    LeaderLock lock =
        LeaderLock.start(workspace, LeaseTerms.of(namespace, LEASE, identity), listener, clock);
    String place = "namespace " + namespace + " of " + workspace.url();
    return new Leadership(Optional.of(new Election(lock, namespace, place)), gained);
  }

  public boolean holds() {
    return election.map(e -> e.lock().leads()).orElse(true);
  }

  /** Who holds the Lease, as last seen; empty if it has no holder, or if there is no Lease. */
  public String holder() {
    return election.map(e -> e.lock().holder()).orElse("");
  }

  /**
   * Why this replica cannot tell whether it may write, and what to do about it; empty if it can. To
   * follow another one is no problem.
   */
  public Optional<String> problem() {
    return election.filter(e -> !e.lock().isInformed()).map(Leadership::problem);
  }

  /** Runs soon after the Lease was gained, and now if it is held. */
  public void whenGained(Runnable action) {
    gained.set(action);
    if (holds()) {
      action.run();
    }
  }

  @Override
  public void close() {
    election.ifPresent(e -> e.lock().close());
  }

  private static String problem(Election election) {
    return "it is not known who holds Lease "
        + LEASE
        + " in "
        + election.place()
        + ", so nothing is written"
        + election
            .lock()
            .lastFailure()
            .map(failure -> remedy(failure, election.namespace()) + ": " + failure.getMessage())
            .orElse("");
  }

  private static String remedy(KubeFailure failure, String namespace) {
    return switch (failure.kind()) {
      case FORBIDDEN ->
          "; let the controller's user get, create and update leases.coordination.k8s.io there, as"
              + " rbac-dependency-workspace.yaml does";
      case NOT_FOUND ->
          "; create Namespace " + namespace + " there, as rbac-dependency-workspace.yaml does";
      default -> "";
    };
  }
}
