package dev.mooring.model.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogicalClusterTest {
  @ParameterizedTest
  @ValueSource(strings = {"root", "2hh1nlb5kf5kw3rh", "system:admin", "system:bound-crds"})
  void takesWhatKcpGives(String name) {
    assertThat(LogicalCluster.parse(name)).contains(new LogicalCluster(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "root:org", "system:", "UPPER", "a/b", "*", "a:system:b"})
  void refusesPathsAndWorse(String text) {
    assertThat(LogicalCluster.parse(text)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> new LogicalCluster(text));
  }
}
