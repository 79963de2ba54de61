package dev.mooring.depcontroller.config;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.lease.LeaderListener;
import dev.mooring.runtime.lease.LeaderLock;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Whether this replica is the one that writes. */
final class Leadership implements AutoCloseable {
  /** As the Go program's configuration is called. */
  private static final String LEASE = "dependency-controller";

  private final Optional<LeaderLock> lock;
  private final AtomicReference<Runnable> gained;

  private Leadership(Optional<LeaderLock> lock, AtomicReference<Runnable> gained) {
    this.lock = lock;
    this.gained = gained;
  }

  /** The only replica: it always writes. */
  static Leadership unopposed() {
    return new Leadership(Optional.empty(), new AtomicReference<>(() -> {}));
  }

  /** One of several: it writes while it holds the Lease. */
  static Leadership elected(KubeClient workspace, String namespace) {
    var gained = new AtomicReference<Runnable>(() -> {});
    var listener =
        new LeaderListener() {
          @Override
          public void leads() {
            gained.get().run();
          }

          @Override
          public void follows(Duration grace) {}
        };
    String identity = LEASE + "-" + Ids.random().next();
    return new Leadership(
        Optional.of(
            LeaderLock.start(
                workspace,
                LeaseTerms.of(namespace, LEASE, identity),
                listener,
                SystemTime.steadyClock())),
        gained);
  }

  boolean holds() {
    return lock.map(LeaderLock::leads).orElse(true);
  }

  /** Runs soon after the Lease was gained, and now if it is held. */
  void whenGained(Runnable action) {
    gained.set(action);
    if (holds()) {
      action.run();
    }
  }

  @Override
  public void close() {
    lock.ifPresent(LeaderLock::close);
  }
}
