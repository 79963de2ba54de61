package dev.mooring.runtime.spring.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.spring.reload.ConfigObjects.Selection.Labeled;
import dev.mooring.runtime.spring.reload.ConfigObjects.Selection.Named;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class ConfigObjectsTest {
  private final Map<String, Object> properties = new HashMap<>();
  private final StandardEnvironment environment = new StandardEnvironment();

  @BeforeEach
  void addProperties() {
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
  }

  @Test
  void areThoseOfTheServicesNameAndOfEachProfile() {
    properties.put("spring.application.name", "sync-agent");
    environment.setActiveProfiles("prod", "kubernetes");

    ConfigObjects objects = ConfigObjects.of(environment);

    assertThat(objects.configMaps())
        .containsExactly(
            named("sync-agent"), named("sync-agent-prod"), named("sync-agent-kubernetes"))
        .isEqualTo(objects.secrets());
  }

  @Test
  void areThoseOfAnotherNameAndOfLabels() {
    properties.put("spring.application.name", "sync-agent");
    properties.put("spring.cloud.kubernetes.config.name", "mine");
    properties.put("spring.cloud.kubernetes.config.labels.app", "mooring");
    properties.put("spring.cloud.kubernetes.secrets.enabled", "false");

    ConfigObjects objects = ConfigObjects.of(environment);

    assertThat(objects.configMaps())
        .containsExactly(named("mine"), new Labeled(Optional.empty(), Map.of("app", "mooring")));
    assertThat(objects.secrets()).isEmpty();
  }

  @Test
  void areThoseOfEachSource() {
    environment.setActiveProfiles("prod");
    String config = "spring.cloud.kubernetes.config.";
    properties.put(config + "name", "mine");
    properties.put(config + "namespace", "here");
    properties.put(config + "sources[0].name", "shared");
    properties.put(config + "sources[0].namespace", "platform");
    properties.put(config + "sources[1].labels.tier", "a");
    properties.put(config + "sources[1].include-profile-specific-sources", "false");
    properties.put("spring.cloud.kubernetes.secrets.sources[0].name", "credentials");

    ConfigObjects objects = ConfigObjects.of(environment);

    assertThat(objects.configMaps())
        .containsExactly(
            new Named(Optional.of("platform"), "shared"),
            new Named(Optional.of("platform"), "shared-prod"),
            new Named(Optional.of("here"), "mine"),
            new Labeled(Optional.of("here"), Map.of("tier", "a")));
    assertThat(objects.secrets()).containsExactly(named("credentials"), named("credentials-prod"));
  }

  private static Named named(String name) {
    return new Named(Optional.empty(), name);
  }
}
