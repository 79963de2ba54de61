package dev.mooring.runtime.spring;

import dev.mooring.model.identity.Nearest;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses to start with a key below {@code mooring} that is no property, in arguments, environment
 * variables or files, and names the property that is spelled most like it.
 *
 * <p>Properties are those of the configuration metadata on the class path. Keys of another service
 * of Mooring are that service's: one file may configure all of them. Environment variables that
 * Kubernetes makes for Services whose names begin with {@code mooring} are no configuration.
 */
public final class UnknownPropertiesCheck implements EnvironmentPostProcessor, Ordered {
  private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("mooring");
  private static final Set<String> SERVICES =
      Set.of("sync-agent", "dependency-controller", "dependency-webhook");

  /** Read by application.yaml, by scripts that may start a service, and by tests. */
  private static final Pattern OTHER_VARIABLE =
      Pattern.compile("MOORING_(CONFIG_DIR|HOME|PROGRAM|REAL_CRDS|MAVEN_.+)");

  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          ".*_SERVICE_HOST|.*_SERVICE_PORT(_.+)?"
              + "|.*_PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?");

  /** After everything that adds to the environment. */
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    Set<String> known = DocumentedProperties.of(application.getClassLoader()).keySet();
    if (known.isEmpty()) {
      return; // started from classes that were compiled without the annotation processor
    }
    Set<String> others =
        SERVICES.stream()
            .filter(service -> known.stream().noneMatch(p -> p.startsWith("mooring." + service)))
            .collect(Collectors.toSet());
    var problems = new TreeSet<String>();
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource variables) {
        Arrays.stream(variables.getPropertyNames())
            .filter(variable -> isUnknownVariable(variable, known, others))
            .map(variable ->
                "Environment variable %s sets no property of Mooring; the nearest is %s"
                    .formatted(variable, variableOf(nearest(flat(variable), known))))
            .forEach(problems::add);
      } else if (source instanceof IterableConfigurationPropertySource iterable) {
        iterable.stream()
            .filter(ROOT::isAncestorOf)
            .filter(name -> isUnknown(name, known, others))
            .map(name ->
                "%s%s is no property of Mooring; the nearest is %s"
                    .formatted(name, origin(source, name), nearest(flat(name.toString()), known)))
            .forEach(problems::add);
      }
    }
    if (!problems.isEmpty()) {
      throw new FailureAnalyzedException(
          String.join("\n", problems),
          "Correct or remove these keys. docs/reference/properties.md lists all properties.");
    }
  }

  private static boolean isUnknown(
      ConfigurationPropertyName name, Set<String> known, Set<String> others) {
    ConfigurationPropertyName key = name;
    while (key.isLastElementIndexed()) {
      key = key.getParent();
    }
    return !others.contains(name.getElement(1, Form.DASHED))
        && known.stream()
            .map(ConfigurationPropertyName::of)
            .noneMatch(Predicate.<ConfigurationPropertyName>isEqual(key).or(key::isAncestorOf));
  }

  private static boolean isUnknownVariable(String variable, Set<String> known, Set<String> others) {
    String upper = variable.toUpperCase(Locale.ROOT);
    String flat = flat(variable.replaceFirst("(_[0-9]+)+$", ""));
    return upper.startsWith("MOORING_")
        && !OTHER_VARIABLE.matcher(upper).matches()
        && !SERVICE_LINK.matcher(upper).matches()
        && others.stream().noneMatch(service -> flat.startsWith(flat("mooring." + service)))
        && known.stream().map(UnknownPropertiesCheck::flat).noneMatch(flat::equals);
  }

  private static String origin(ConfigurationPropertySource source, ConfigurationPropertyName name) {
    var property = source.getConfigurationProperty(name);
    return property == null || property.getOrigin() == null
        ? ""
        : " (" + property.getOrigin() + ")";
  }

  private static String nearest(String flat, Collection<String> known) {
    return Collections.min(
        known,
        Comparator.<String>comparingInt(property -> Nearest.distance(flat, flat(property)))
            .thenComparing(Comparator.naturalOrder()));
  }

  /** As Spring's documentation has environment variables: dots to underscores, no dashes. */
  private static String variableOf(String property) {
    return property.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private static String flat(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }
}
