package dev.mooring.depcontroller.signature;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.signature.decide.KeyTimings;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has webhook configurations follow the keys that sign their URLs. Thread-safe. */
public final class ReviewSigning implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReviewSigning.class);

  private final KeyRotator rotator;
  private final Duration period;
  private final Scheduler scheduler;
  private final AtomicReference<DependencyController> controller = new AtomicReference<>();
  private volatile boolean closed;

  private ReviewSigning(
      KubeClient workspace,
      String namespace,
      KeyTimings timings,
      Duration period,
      InstantSource clock,
      Scheduler scheduler,
      BooleanSupplier leads) {
    this.rotator = new KeyRotator(workspace, namespace, timings, clock, leads, this::unsigned);
    this.period = period;
    this.scheduler = scheduler;
  }

  /**
   * Reads the keys once: configurations written without a key would be written twice.
   *
   * @param workspace of the APIExport
   * @param period of reconciliation
   * @param leads whether this process may write
   */
  public static ReviewSigning start(
      KubeClient workspace,
      String namespace,
      KeyTimings timings,
      Duration period,
      InstantSource clock,
      Scheduler scheduler,
      BooleanSupplier leads) {
    var signing = new ReviewSigning(workspace, namespace, timings, period, clock, scheduler, leads);
    signing.rotator.reconcile();
    return signing;
  }

  /** Starts the periodic reconciliation. Called once. */
  public void follow(DependencyController installing) {
    controller.set(installing);
    scheduleNext();
  }

  /** Gives the signed segment of a URL that names a provider; empty while no key is known. */
  public Optional<Function<LogicalCluster, String>> signer() {
    return rotator.signing().map(key -> key::segment);
  }

  /** For reports: whether reviews have to be signed, or what keeps them from it. */
  public String summary() {
    return rotator.summary();
  }

  private Optional<SortedSet<LogicalCluster>> unsigned(Function<LogicalCluster, String> segment) {
    return Optional.ofNullable(controller.get())
        .flatMap(installing -> installing.providersWithout(segment));
  }

  private void scheduleNext() {
    scheduler.after(
        period,
        () -> {
          if (!closed) {
            Thread.ofVirtual()
                .name("url-keys")
                .start(() -> {
                  try {
                    reconcile();
                  } finally {
                    scheduleNext();
                  }
                });
          }
        });
  }

  private void reconcile() {
    if (rotator.reconcile()) {
      LOG.info("Another key signs URLs; updating every webhook configuration");
      controller.get().resync();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
