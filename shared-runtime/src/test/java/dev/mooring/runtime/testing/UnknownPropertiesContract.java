package dev.mooring.runtime.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.runtime.spring.UnknownPropertiesCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A service does not start with a key below {@code mooring} that it does not read. */
public abstract class UnknownPropertiesContract {
  private final StandardEnvironment environment = new StandardEnvironment();

  protected abstract Class<?> application();

  /** {@code sync-agent}, for one. */
  protected abstract String service();

  /** A property of the service without its prefix, such as {@code api-export-name}. */
  protected abstract String property();

  /** Arguments without which it would not start for another reason. */
  protected abstract String[] required();

  @Test
  void refusesAnArgumentAndNamesTheNearestProperty(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("application.yaml"),
            "mooring:\n  %s:\n    %sx: some\n".formatted(service(), property()));
    var application = new SpringApplication(application());
    var arguments = new ArrayList<>(List.of(required()));
    arguments.add("--mooring." + service() + ".x" + property() + "=some");
    arguments.add("--spring.config.additional-location=file:" + file);

    assertThatThrownBy(() -> application.run(arguments.toArray(String[]::new)).close())
        .hasMessageContaining(
            "mooring.%1$s.x%2$s (\"mooring.%1$s.x%2$s\" from property source \"commandLineArgs\")"
                + " is no property of Mooring; the nearest is mooring.%1$s.%2$s",
            service(), property())
        .hasMessageContaining("mooring.%s.%sx (", service(), property())
        .hasMessageContaining("application.yaml");
  }

  @Test
  void refusesAMisspelledService() {
    set("mooring." + service() + "s." + property());

    refuses("the nearest is mooring." + service() + "." + property());
  }

  @ParameterizedTest
  @ValueSource(strings = {"MOORING_%sX_%s", "MOORING_%s_%sX", "MOORING_%s__X%s"})
  void refusesAnEnvironmentVariable(String form) {
    variable(form.formatted(compact(service()), compact(property())));

    refuses(
        "sets no property of Mooring; the nearest is MOORING_"
            + compact(service())
            + "_"
            + compact(property()));
  }

  @Test
  void acceptsEverySpellingThatSpringBinds() {
    set("mooring." + service() + "." + property());
    set("mooring." + service() + "." + camelCase(property()));
    set("mooring." + service() + "." + property() + "[0]");
    variable("MOORING_" + compact(service()) + "_" + compact(property()));
    variable("MOORING_" + underscored(service()) + "_" + underscored(property()));
    variable("MOORING_" + compact(service()) + "_" + compact(property()) + "_0");

    assertThatCode(this::check).doesNotThrowAnyException();
  }

  @Test
  void acceptsWhatIsAnotherServicesAndWhatKubernetesAdds() {
    for (String another : new String[] {"sync-agent", "dependency-controller"}) {
      if (!another.equals(service())) {
        set("mooring." + another + ".anything");
        variable("MOORING_" + compact(another) + "_ANYTHING");
      }
    }
    variable("MOORING_CONFIG_DIR");
    variable("MOORING_" + underscored(service()) + "_SERVICE_HOST");
    variable("MOORING_" + underscored(service()) + "_SERVICE_PORT_MANAGEMENT");
    variable("MOORING_" + underscored(service()) + "_PORT");
    variable("MOORING_" + underscored(service()) + "_PORT_8085_TCP_ADDR");

    assertThatCode(this::check).doesNotThrowAnyException();
  }

  private void refuses(String message) {
    assertThatThrownBy(this::check).hasMessageContaining(message);
  }

  private void check() {
    new UnknownPropertiesCheck()
        .postProcessEnvironment(environment, new SpringApplication(application()));
  }

  private void set(String key) {
    environment.getPropertySources().addFirst(new MapPropertySource(key, Map.of(key, "some")));
  }

  private void variable(String name) {
    environment
        .getPropertySources()
        .addFirst(
            new SystemEnvironmentPropertySource(name + "-systemEnvironment", Map.of(name, "some")));
  }

  private static String compact(String name) {
    return name.replace("-", "").toUpperCase(Locale.ROOT);
  }

  private static String underscored(String name) {
    return name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  private static String camelCase(String name) {
    return Pattern.compile("-(.)")
        .matcher(name)
        .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
  }
}
