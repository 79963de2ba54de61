package dev.mooring.syncagent.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServiceClusterTest {
  private static final Map<String, String> NAMED = Map.of("KUBECONFIG", "named.yaml");

  @Test
  void prefersTheFileItIsTold() {
    assertThat(cluster(Optional.of(Path.of("told.yaml"))).file(NAMED, true))
        .contains(Path.of("told.yaml"));
  }

  @Test
  void takesTheFileOfTheEnvironmentEvenInAPod() {
    assertThat(cluster(Optional.empty()).file(NAMED, true)).contains(Path.of("named.yaml"));
  }

  @Test
  void isItsPodsServiceAccountWithoutAnyFile() {
    assertThat(cluster(Optional.empty()).file(Map.of(), true)).isEmpty();
  }

  @Test
  void takesTheUsersFileOutsideAPod() {
    assertThat(cluster(Optional.empty()).file(Map.of(), false))
        .hasValueSatisfying(file -> assertThat(file).endsWithRaw(Path.of(".kube", "config")));
  }

  @Test
  void doesNotGuessAmongSeveralFiles() {
    assertThatThrownBy(
            () -> cluster(Optional.empty()).file(Map.of("KUBECONFIG", "a.yaml:b.yaml"), false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--kubeconfig");
  }

  private static ServiceCluster cluster(Optional<Path> kubeconfig) {
    return new ServiceCluster(kubeconfig, Optional.empty(), Optional.empty());
  }
}
