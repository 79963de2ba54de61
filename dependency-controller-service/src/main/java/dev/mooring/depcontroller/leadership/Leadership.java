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

/** Whether this replica is the one that writes. Thread-safe. */
public final class Leadership implements AutoCloseable {
  /** As the Go program's configuration is called. */
  private static final String LEASE = "dependency-controller";

  private final String namespace;

  /** Of the Lease, for messages. */
  private final String place;

  /** Empty for the only replica. */
  private volatile Optional<LeaderLock> lock = Optional.empty();

  private volatile Runnable gained = () -> {};

  private Leadership(String namespace, String place) {
    this.namespace = namespace;
    this.place = place;
  }

  /** The only replica: it always writes. */
  public static Leadership unopposed() {
    return new Leadership("", "");
  }

  /**
   * One of several: it writes while it holds the Lease.
   *
   * @param clock that never goes back
   */
  public static Leadership elected(KubeClient workspace, String namespace, InstantSource clock) {
    var leadership = new Leadership(namespace, "namespace " + namespace + " of " + workspace.url());
    var listener =
        new LeaderListener() {
          @Override
          public void leads() {
            leadership.gained.run();
          }

          @Override
          public void follows(Duration grace) {}
        };
    var terms = LeaseTerms.of(namespace, LEASE, LEASE + "-" + Ids.random().next());
    leadership.lock = Optional.of(LeaderLock.start(workspace, terms, listener, clock));
    return leadership;
  }

  public boolean holds() {
    return lock.map(LeaderLock::leads).orElse(true);
  }

  /** Who holds the Lease, as last seen; empty if it has no holder, or if there is no Lease. */
  public String holder() {
    return lock.map(LeaderLock::holder).orElse("");
  }

  /**
   * Why this replica cannot tell whether it may write, and what to do about it; empty if it can. To
   * follow another one is no problem.
   */
  public Optional<String> problem() {
    return lock.filter(election -> !election.isInformed()).map(this::problem);
  }

  /** Runs soon after the Lease was gained, and now if it is held. */
  public void whenGained(Runnable action) {
    gained = action;
    if (holds()) {
      action.run();
    }
  }

  @Override
  public void close() {
    lock.ifPresent(LeaderLock::close);
  }

  private String problem(LeaderLock election) {
    return "it is not known who holds Lease %s in %s, so nothing is written".formatted(LEASE, place)
        + election
            .lastFailure()
            .map(failure -> remedy(failure) + ": " + failure.getMessage())
            .orElse("");
  }

  private String remedy(KubeFailure failure) {
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
