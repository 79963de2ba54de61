package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.object.Trees;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LastKnownStateTest {
  @Test
  void keepsSmallStatesReadable() {
    Map<String, Object> state = Trees.freezeMap(Map.of("spec", Map.of("a", 1)));

    assertThat(LastKnownState.encode(state)).isEqualTo("{\"spec\":{\"a\":1}}");
    assertThat(LastKnownState.decode(LastKnownState.encode(state))).contains(state);
  }

  @Test
  void compressesLargeStates() {
    Map<String, Object> state =
        Trees.freezeMap(Map.of("spec", "x".repeat(LastKnownState.PLAIN_MAX)));

    String text = LastKnownState.encode(state);

    assertThat(text).startsWith("gzip:").hasSizeLessThan(LastKnownState.PLAIN_MAX);
    assertThat(LastKnownState.decode(text)).contains(state);
  }

  @Test
  void refusesStatesThatDoNotFit() {
    byte[] noise = new byte[LastKnownState.ENCODED_MAX];
    new Random(1).nextBytes(noise);
    Map<String, Object> state = Map.of("spec", java.util.HexFormat.of().formatHex(noise));

    assertThatThrownBy(() -> LastKnownState.encode(state))
        .isInstanceOf(LastKnownState.StateTooLarge.class);
  }

  @Test
  void doesNotKnowADamagedState() {
    assertThat(LastKnownState.decode("{\"spec\"")).isEmpty();
    assertThat(LastKnownState.decode("gzip:%%")).isEmpty();
    assertThat(LastKnownState.decode("gzip:aGVsbG8=")).isEmpty();
    assertThat(LastKnownState.decode("[1]")).isEmpty();
  }
}
