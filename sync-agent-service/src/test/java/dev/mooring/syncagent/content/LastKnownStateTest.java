package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LastKnownStateTest {
  @Test
  void keepsSmallStatesReadable() {
    Map<String, Object> state = Trees.freezeMap(Map.of("spec", Map.of("a", 1)));

    assertThat(LastKnownState.text(state)).isEqualTo("{\"spec\":{\"a\":1}}");
    assertThat(LastKnownState.read(LastKnownState.text(state))).contains(state);
  }

  @Test
  void compressesLargeStates() {
    Map<String, Object> state =
        Trees.freezeMap(
            Map.of("spec", Collections.nCopies(LastKnownState.PLAIN_MAX / 100, "x".repeat(100))));

    String text = LastKnownState.text(state);

    assertThat(text).startsWith("gzip:").hasSizeLessThan(LastKnownState.PLAIN_MAX);
    assertThat(LastKnownState.read(text)).contains(state);
  }

  @Test
  void bytesLeadBackToTheState() {
    Map<String, Object> state = Trees.freezeMap(Map.of("spec", Map.of("a", 1)));

    assertThat(LastKnownState.readFromSecret(secret(LastKnownState.bytes(state)))).contains(state);
    assertThat(LastKnownState.readFromSecret(secret(new byte[] {1, 2}))).isEmpty();
  }

  private static KubeObject secret(byte[] state) {
    return KubeObject.of(
        Map.of("data", Map.of("state", Base64.getEncoder().encodeToString(state))));
  }

  @Test
  void countsBytesNotCharacters() {
    Map<String, Object> state =
        Trees.freezeMap(
            Map.of(
                "spec", Collections.nCopies(LastKnownState.PLAIN_MAX / 200, "\u00e9".repeat(100))));

    assertThat(LastKnownState.text(state)).startsWith("gzip:");
  }

  @Test
  void doesNotKnowADamagedState() {
    assertThat(LastKnownState.read("{\"spec\"")).isEmpty();
    assertThat(LastKnownState.read("gzip:%%")).isEmpty();
    assertThat(LastKnownState.read("gzip:aGVsbG8=")).isEmpty();
    assertThat(LastKnownState.read("[1]")).isEmpty();
  }
}
