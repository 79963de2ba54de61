package dev.mooring.runtime.spring.reload;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cloud.kubernetes.commons.config.ConfigMapConfigProperties;
import org.springframework.cloud.kubernetes.commons.config.SecretsConfigProperties;
import org.springframework.cloud.kubernetes.commons.config.SourceConfigProperties;
import org.springframework.core.env.Environment;

/**
 * Which ConfigMaps and Secrets Spring Cloud Kubernetes reads: what {@code
 * spring.cloud.kubernetes.config} and {@code spring.cloud.kubernetes.secrets} say.
 */
record ConfigObjects(List<Selection> configMaps, List<Selection> secrets) {
  /** One object by its name, or all with some labels. */
  sealed interface Selection {
    /** Empty for the client's. */
    Optional<String> namespace();

    record Named(Optional<String> namespace, String name) implements Selection {}

    record Labeled(Optional<String> namespace, Map<String, String> labels) implements Selection {
      public Labeled {
        labels = Map.copyOf(labels);
      }
    }
  }

  ConfigObjects {
    configMaps = List.copyOf(configMaps);
    secrets = List.copyOf(secrets);
  }

  static ConfigObjects of(Environment environment) {
    Binder binder = Binder.get(environment);
    return new ConfigObjects(
        selections(
            ConfigMapConfigProperties.PREFIX,
            binder.bindOrCreate(ConfigMapConfigProperties.PREFIX, ConfigMapConfigProperties.class),
            environment),
        selections(
            SecretsConfigProperties.PREFIX,
            binder.bindOrCreate(SecretsConfigProperties.PREFIX, SecretsConfigProperties.class),
            environment));
  }

  /** Secrets are read unless they are disabled; the default of their properties says otherwise. */
  private static List<Selection> selections(
      String prefix, SourceConfigProperties given, Environment environment) {
    if (!environment.getProperty(prefix + ".enabled", Boolean.class, true)) {
      return List.of();
    }
    List<SourceConfigProperties.Source> sources =
        given.sources().isEmpty()
            ? List.of(new SourceConfigProperties.Source("", "", Map.of(), "", null, null))
            : given.sources();
    return sources.stream()
        .flatMap(source -> selections(source, given, environment))
        .distinct()
        .toList();
  }

  /** What a source does not say, the properties around it say. */
  private static Stream<Selection> selections(
      SourceConfigProperties.Source source, SourceConfigProperties given, Environment environment) {
    Optional<String> namespace = text(source.namespace()).or(() -> text(given.namespace()));
    String name =
        text(source.name())
            .or(() -> text(given.name()))
            .orElseGet(() -> environment.getProperty("spring.application.name", "application"));
    Map<String, String> labels = source.labels().isEmpty() ? given.labels() : source.labels();
    boolean profiles =
        Optional.ofNullable(source.includeProfileSpecificSources())
            .orElse(given.includeProfileSpecificSources());
    Stream<String> names =
        Stream.concat(
            Stream.of(name),
            Arrays.stream(profiles ? environment.getActiveProfiles() : new String[0])
                .map(profile -> name + "-" + profile));
    return Stream.concat(
        names.map(each -> new Selection.Named(namespace, each)),
        labels.isEmpty() ? Stream.empty() : Stream.of(new Selection.Labeled(namespace, labels)));
  }

  private static Optional<String> text(@Nullable String given) {
    return Optional.ofNullable(given).filter(text -> !text.isEmpty());
  }
}
