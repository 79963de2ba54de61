package dev.mooring.depwebhook.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IndexMemoryBudgetTest {
  private static final KubeObject SMALL = object("");
  private static final KubeObject LARGE = object("x".repeat(2 * IndexMemoryBudget.UNIT_CHARS));

  private final IndexMemoryBudget space = new IndexMemoryBudget(10);
  private final AtomicInteger full = new AtomicInteger();
  private final IndexMemoryBudget.Share one = space.share(8, full::incrementAndGet);
  private final IndexMemoryBudget.Share two = space.share(8, full::incrementAndGet);

  @Test
  void boundsWhatAllHoldTogether() {
    assertThat(take(one, 6)).isEqualTo(6);
    assertThat(take(two, 6)).isEqualTo(4);
    assertThat(full).hasValue(2);
    assertThat(space.fill()).isEqualTo(1.0);
  }

  @Test
  void leavesRoomForOthers() {
    assertThat(take(one, 9)).isEqualTo(8);
    assertThat(take(two, 1)).isOne();
  }

  @Test
  void countsLargeObjectsSeveralTimes() {
    assertThat(one.take(LARGE)).isTrue();
    assertThat(space.fill()).isEqualTo(0.3);
    assertThat(IndexMemoryBudget.weight(SMALL)).isOne();
  }

  @Test
  void weighsAnObjectTheSameWithItsTypeAndWithout() {
    KubeObject typed = LARGE.with("k".repeat(IndexMemoryBudget.UNIT_CHARS), "kind");

    assertThat(IndexMemoryBudget.weight(typed)).isEqualTo(IndexMemoryBudget.weight(LARGE));
  }

  @Test
  void takesBackWhatIsHeldNoMore() {
    one.take(LARGE);
    one.leave(LARGE);
    assertThat(space.fill()).isZero();

    take(one, 8);
    one.close();
    one.close();
    one.leave(SMALL);

    assertThat(space.fill()).isZero();
    assertThat(one.take(SMALL)).isFalse();
    assertThat(take(two, 8)).isEqualTo(8);
  }

  private static int take(IndexMemoryBudget.Share share, int objects) {
    int taken = 0;
    for (int i = 0; i < objects; i++) {
      taken += share.take(SMALL) ? 1 : 0;
    }
    return taken;
  }

  private static KubeObject object(String text) {
    return KubeObject.of(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("text", text)));
  }
}
