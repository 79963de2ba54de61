package dev.mooring.runtime.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EndpointSliceStabilizerTest {
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final AtomicInteger entered = new AtomicInteger();
  private final EndpointSliceStabilizer slice =
      new EndpointSliceStabilizer(time, time, entered::incrementAndGet);

  @Test
  void takesASliceOfSomeAgeForComplete() {
    slice.see(List.of(made("a", EndpointSliceStabilizer.ENTERED_WITHIN)));

    assertThat(slice.mayLackShards()).isFalse();
    assertThat(time.pending()).isZero();
  }

  @Test
  void givesShardsTheRestOfTheTimeAndSaysWhenItIsOver() {
    slice.see(List.of(made("a", A_SECOND)));

    time.advance(EndpointSliceStabilizer.ENTERED_WITHIN.minusSeconds(2));
    assertThat(slice.mayLackShards()).isTrue();
    time.advance(A_SECOND);
    assertThat(slice.mayLackShards()).isFalse();
    time.advance(A_SECOND);
    await().untilAsserted(() -> assertThat(entered).hasValue(1));
  }

  @Test
  void waitsNoLongerWhereTheClocksDiffer() {
    slice.see(List.of(made("a", Duration.ofDays(-1))));

    assertThat(slice.mayLackShards()).isTrue();
    time.advance(EndpointSliceStabilizer.ENTERED_WITHIN);
    slice.see(List.of(made("a", Duration.ofDays(-1))));
    assertThat(slice.mayLackShards()).isFalse();
  }

  @Test
  void waitsForAnotherThatComesMeanwhileAndForNoneAfterwards() {
    slice.see(List.of(made("a", A_SECOND)));
    time.advance(A_SECOND);
    slice.see(List.of());
    slice.see(List.of(made("b", Duration.ZERO)));

    time.advance(EndpointSliceStabilizer.ENTERED_WITHIN.minus(A_SECOND));
    assertThat(slice.mayLackShards()).isTrue();
    time.advance(A_SECOND);
    assertThat(slice.mayLackShards()).isFalse();

    slice.see(List.of(made("c", Duration.ZERO)));
    assertThat(slice.mayLackShards()).isFalse();
  }

  @Test
  void takesASliceThatDoesNotSayItsAgeForComplete() {
    slice.see(List.of(KubeObject.of(Map.of("metadata", Map.of("uid", "a")))));

    assertThat(slice.mayLackShards()).isFalse();
  }

  private KubeObject made(String uid, Duration ago) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("uid", uid, "creationTimestamp", time.instant().minus(ago).toString())));
  }
}
