package dev.mooring.runtime.spring.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.mooring.runtime.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.logging.LoggerGroups;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

/** A file that changes while a program runs. */
class ConfigReloadTest {
  private static final String LOGGER = "example.reload";

  @TempDir Path directory;
  private final List<Example> applied = new ArrayList<>();
  private StandardEnvironment environment;
  private ConfigReload reload;

  @ConfigurationProperties("mooring.example")
  record Example(
      @Live @DefaultValue("1") int limit, @DefaultValue("a") String host, @DefaultValue Part part) {
    record Part(@Live @DefaultValue("0s") Duration idleMax) {}
  }

  private static final class AtMostNine implements Validator {
    @Override
    public boolean supports(Class<?> type) {
      return type == Example.class;
    }

    @Override
    public void validate(Object target, Errors errors) {
      if (((Example) target).limit() > 9) {
        errors.rejectValue("limit", "max", "must be at most nine");
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    write("mooring.example: {limit: 2, host: first, part: {idle-max: 5s}}");
    environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new MapPropertySource(
                "arguments", Map.of("spring.config.additional-location", directory + "/")));
    ConfigDataEnvironmentPostProcessor.applyTo(
        environment, new DefaultResourceLoader(), new DefaultBootstrapContext());
    ConfigurationPropertySources.attach(environment);
    reload =
        new ConfigReload(
            new ConfigReader(
                environment,
                new DefaultResourceLoader(),
                List.of(new LiveProperties<>(Example.class, applied::add)),
                new AtMostNine()),
            new LogLevels(LoggingSystem.get(getClass().getClassLoader()), new LoggerGroups()));
  }

  @AfterEach
  void forgetLevel() {
    logger().setLevel(null);
  }

  @Test
  void appliesWhatIsLiveAndNamesTheRest() throws IOException {
    write("mooring.example: {limit: 3, host: second, part: {idle-max: 7s}}");
    reload.run();

    assertThat(applied)
        .containsExactly(new Example(3, "first", new Example.Part(Duration.ofSeconds(7))));
    assertThat(reload.status().restartRequired()).containsExactly("mooring.example.host");
    var health = new ConfigReloadHealth(reload).health();
    assertThat(health.getStatus()).isEqualTo(Status.UP);
    assertThat(health.getDetails())
        .isEqualTo(Map.of("restartRequired", List.of("mooring.example.host")));

    write("mooring.example: {host: first}");
    reload.run();

    assertThat(applied.getLast())
        .as("defaults")
        .isEqualTo(new Example(1, "first", new Example.Part(Duration.ZERO)));
    assertThat(reload.status().restartRequired()).isEmpty();
  }

  @Test
  void doesNothingIfNothingDiffers() {
    reload.run();

    assertThat(applied).isEmpty();
    assertThat(new ConfigReloadHealth(reload).health().getDetails()).isEmpty();
  }

  @Test
  void doesNotNameWhatIsAnotherServices() throws IOException {
    write("mooring: {example: {limit: 2, host: first, part: {idle-max: 5s}}, another: {host: x}}");
    reload.run();

    assertThat(reload.status().restartRequired()).isEmpty();
  }

  @Test
  void refusesAnInvalidConfigurationAsAWholeWithoutItsValues() throws IOException {
    write("{mooring.example: {limit: 77, part: {idle-max: 9s}}, logging.level.%s: TRACE}", LOGGER);
    reload.run();
    assertThat(reload.status().problem()).contains("mooring.example.limit: must be at most nine");

    write("mooring.example: {limit: s3cret}");
    reload.run();
    assertThat(reload.status().problem().orElseThrow())
        .contains("mooring.example.limit")
        .doesNotContain("s3cret");

    write("mooring.example: {limit: 's3cret}");
    reload.run();
    assertThat(reload.status().problem().orElseThrow())
        .startsWith("it cannot be read")
        .doesNotContain("s3cret");

    write("logging.level.%s: s3cret", LOGGER);
    reload.run();
    assertThat(reload.status().problem())
        .contains("logging.level." + LOGGER + " is no level of a logger");

    assertThat(applied).isEmpty();
    assertThat(logger().getLevel()).isNull();

    write("mooring.example: {limit: 2, host: first, part: {idle-max: 5s}}");
    reload.run();
    assertThat(reload.status().problem()).isEmpty();
  }

  @Test
  void changesLevelsAndTakesThemBack() throws IOException {
    write(
        "{mooring.example: {limit: 2, host: first, part: {idle-max: 5s}}, logging.level.%s: trace}",
        LOGGER);
    reload.run();
    assertThat(logger().getLevel()).isEqualTo(Level.TRACE);

    write("mooring.example: {limit: 2, host: first, part: {idle-max: 5s}}");
    reload.run();
    assertThat(logger().getLevel()).isNull();
    assertThat(applied).isEmpty();
  }

  /** As the kubelet replaces a mounted ConfigMap. */
  @Test
  void noticesASwappedLink() throws IOException {
    Path mount = Files.createDirectories(directory.resolve("mount"));
    data(mount, "..1", "a: 1");
    Files.createSymbolicLink(mount.resolve("..data"), Path.of("..1"));
    Files.createSymbolicLink(mount.resolve("application.yaml"), Path.of("..data/application.yaml"));
    var changes = new AtomicInteger();
    try (var _ =
        new ConfigFileWatch(List.of(mount), SystemTime.scheduler(), changes::incrementAndGet)) {
      data(mount, "..2", "a: 2");
      Files.createSymbolicLink(mount.resolve("..new"), Path.of("..2"));
      Files.move(mount.resolve("..new"), mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

      await().atMost(Duration.ofMinutes(1)).until(() -> changes.get() > 0);
    }
  }

  private static void data(Path mount, String version, String text) throws IOException {
    Files.writeString(
        Files.createDirectories(mount.resolve(version)).resolve("application.yaml"), text);
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(LOGGER);
  }

  private void write(String yaml, Object... values) throws IOException {
    Files.writeString(directory.resolve("application.yaml"), yaml.formatted(values));
  }
}
