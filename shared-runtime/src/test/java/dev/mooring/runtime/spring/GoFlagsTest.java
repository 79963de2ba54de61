package dev.mooring.runtime.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GoFlagsTest {
  private static final Map<String, GoFlags.Flag> FLAGS =
      Map.of(
          "webhook-url", GoFlags.property("mooring.url"),
          "probes", GoFlags.address("server"),
          "zap-devel", GoFlags.ignoredSwitch(),
          "zap-encoder", GoFlags.ignored());

  @Test
  void takesBothSpellingsOfAValueAndOneOrTwoHyphens() {
    assertThat(GoFlags.toSpring(FLAGS, "--webhook-url", "https://a", "-webhook-url=https://b?c=d"))
        .containsExactly("--mooring.url=https://a", "--mooring.url=https://b?c=d");
  }

  @Test
  void turnsAnAddressIntoPortAndHost() {
    assertThat(GoFlags.toSpring(FLAGS, "--probes=:8081")).containsExactly("--server.port=8081");
    assertThat(GoFlags.toSpring(FLAGS, "--probes", "[::1]:81"))
        .containsExactly("--server.port=81", "--server.address=::1");
  }

  @Test
  void leavesAServerThatGoWouldSwitchOffWhereItIs() {
    assertThat(GoFlags.toSpring(FLAGS, "--probes=0", "-probes", "0")).isEmpty();
  }

  @Test
  void dropsWhatMeansNothingHere() {
    assertThat(GoFlags.toSpring(FLAGS, "--zap-devel", "--zap-devel=false", "--zap-encoder", "json"))
        .isEmpty();
  }

  @Test
  void leavesToSpringWhatIsSprings() {
    assertThat(GoFlags.toSpring(FLAGS, "--server.port=1", "--spring.profiles.active=local", "x"))
        .containsExactly("--server.port=1", "--spring.profiles.active=local", "x");
  }

  @Test
  void saysWhatIsWrong() {
    assertThatThrownBy(() -> GoFlags.toSpring(FLAGS, "--webhook-url"))
        .hasMessage("flag needs an argument: --webhook-url");
    assertThatThrownBy(() -> GoFlags.toSpring(FLAGS, "--probes=8081"))
        .hasMessage("\"8081\" is not an address like :8081 or 127.0.0.1:8081");
  }
}
