package dev.mooring.depwebhook.race;

import static dev.mooring.depwebhook.race.RegisterSweep.INTERVAL;
import static dev.mooring.depwebhook.race.RegisterSweep.SOON;
import static dev.mooring.depwebhook.race.RegisterSweep.SWEPT_MAX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.race.decide.RaceTimings;
import dev.mooring.depwebhook.race.decide.RegisterKey;
import dev.mooring.depwebhook.race.decide.RegisterLease;
import dev.mooring.depwebhook.race.decide.RegisterPage;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.ManualTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RegisterSweepTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicInteger left = new AtomicInteger();

  @Test
  void goesOnSoonUntilNothingIsLeft() {
    left.set(2 * SWEPT_MAX + 1);
    RegisterSweep sweep =
        sweep(most -> {
          int swept = Math.min(most, left.get());
          left.addAndGet(-swept);
          return swept;
        });

    assertThat(sweep.call()).isEqualTo(SOON);
    assertThat(sweep.call()).isEqualTo(SOON);
    assertThat(sweep.call()).isEqualTo(INTERVAL);

    assertThat(left).hasValue(0);
    assertThat(meters.get("mooring.dependency.webhook.race.leases.swept").counter().count())
        .isEqualTo(2.0 * SWEPT_MAX + 1);
  }

  @Test
  void doesNotAskAgainSoonWhereItCannotSweep() {
    RegisterSweep sweep =
        sweep(_ -> {
          throw new KubeFailure(KubeFailure.Kind.FORBIDDEN, 403, "Forbidden", "403", null, null);
        });

    assertThat(sweep.call()).isEqualTo(INTERVAL);
  }

  @Test
  void endsWithRaceProtectionThoughExpiredLeasesAreLeft() {
    var time = new ManualTime();
    var lists = new AtomicInteger();
    var open = new AtomicReference<RaceProtection>();
    KubeClient register =
        register(() -> {
          open.get().close();
          return expired(time, lists.incrementAndGet() < 4 ? SWEPT_MAX : 0);
        });
    open.set(
        RaceProtection.start(
            register,
            "races",
            _ -> register,
            RaceTimings.STANDARD.indexAge(),
            new RaceProtection.Machine(
                new Clocks(time, time), time, () -> 0, _ -> {}, Ids.random()),
            new RaceMetrics(meters),
            query -> {
              throw new AssertionError("nothing is deleted: " + query.target());
            }));

    time.advance(INTERVAL);
    // The repetition asked for its next run before it saw that it had been cancelled.
    await().until(() -> time.asked().size() == 2 && time.pending() == 0);

    assertThat(lists).hasValue(1);
  }

  private RegisterSweep sweep(IntUnaryOperator register) {
    return new RegisterSweep(register, INTERVAL, new RaceMetrics(meters));
  }

  /** A workspace that lists Leases, and deletes them. */
  private static KubeClient register(Supplier<KubeList> leases) {
    return (KubeClient)
        Proxy.newProxyInstance(
            KubeClient.class.getClassLoader(),
            new Class<?>[] {KubeClient.class},
            (_, method, _) -> method.getName().equals("list") ? leases.get() : null);
  }

  private static KubeList expired(ManualTime time, int leases) {
    var key =
        new RegisterKey(
            new LogicalCluster("consumer1"), new GroupResource("example.com", "vpcs"), "net1");
    KubeObject lease =
        RegisterLease.with(
            RegisterLease.empty("races", "race-1", key),
            RegisterPage.EMPTY,
            time.instant(),
            RaceTimings.STANDARD);
    return new KubeList(Collections.nCopies(leases, lease), "1", "");
  }
}
