package dev.mooring.acceptance;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/**
 * The chart, rendered by Helm's own engine: as release {@link #RELEASE} in namespace {@link
 * #NAMESPACE} where a test does not say otherwise.
 */
public final class Chart {
  public static final ProjectLayout LAYOUT = ProjectLayout.find();
  static final Path DIRECTORY = LAYOUT.root().resolve("charts/mooring");
  static final String RELEASE = "mooring-test";
  static final String NAMESPACE = "mooring-system";

  /** All three services, and nothing that could contradict something else. */
  public static final String ALL_SERVICES =
      """
      syncAgent: {apiExportEndpointSlice: certificates.example.corp}
      dependencyController: {enabled: true, webhook: {url: "https://webhook.example.org/validate"}}
      dependencyWebhook: {enabled: true}
      """;

  private static final String REGISTRY = "image: {registry: registry.example.org}";
  private static final String KUBERNETES = "1.34.0";

  private Chart() {}

  static TemplateCommand template() {
    return template(RELEASE);
  }

  static TemplateCommand template(String release) {
    return new Helm(DIRECTORY)
        .template()
        .withName(release)
        .withNamespace(NAMESPACE)
        .withKubeVersion(KUBERNETES);
  }

  /**
   * @param values as YAML
   */
  public static List<KubeObject> render(String... values) {
    return render(RELEASE, values);
  }

  /**
   * @param values as YAML, each over those before
   */
  static List<KubeObject> render(TemplateCommand command, String... values) {
    return objects(text(command, values));
  }

  static List<KubeObject> render(String release, List<String> values) {
    return objects(text(template(release), values.toArray(String[]::new)));
  }

  private static List<KubeObject> render(String release, String[] values) {
    return objects(text(template(release), values));
  }

  /** What Helm says of values that the chart refuses. */
  static String refusal(String... values) {
    try {
      text(template(), values);
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
    throw new AssertionError("rendered " + String.join("\n", values));
  }

  private static String text(TemplateCommand command, String... values) {
    var files = new ArrayList<Path>();
    try {
      for (String text : Stream.concat(Stream.of(REGISTRY), Stream.of(values)).toList()) {
        Path file = Files.createTempFile("values", ".yaml");
        files.add(file);
        Files.writeString(file, text);
        command.withValuesFile(file);
      }
      return command.call();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      files.forEach(file -> file.toFile().delete());
    }
  }

  private static List<KubeObject> objects(String rendered) {
    try {
      Path file = Files.createTempFile("rendered", ".yaml");
      try {
        Files.writeString(file, rendered);
        return Manifests.ofFile(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<KubeObject> ofKind(List<KubeObject> objects, String kind) {
    return objects.stream().filter(object -> object.kind().equals(kind)).toList();
  }

  /** The one of that kind that is called so, after the release's name. */
  public static KubeObject named(List<KubeObject> objects, String kind, String name) {
    return ofKind(objects, kind).stream()
        .filter(object -> object.name().equals(RELEASE + "-" + name) || object.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new AssertionError(
                "no %s %s in %s"
                    .formatted(kind, name, objects.stream().map(KubeObject::name).toList())));
  }

  static KubeObject clusterRole(List<KubeObject> objects, String service) {
    return named(objects, "ClusterRole", NAMESPACE + ":" + RELEASE + "-" + service);
  }

  static KubeObject deployment(List<KubeObject> objects, String service) {
    return named(objects, "Deployment", service);
  }

  static Object container(KubeObject deployment) {
    return Trees.listOrEmpty(deployment.at("spec", "template", "spec", "containers")).getFirst();
  }

  /** All that the service reads at start. */
  static Object allProperties(List<KubeObject> objects, String service) {
    return new Yaml().load(named(objects, "ConfigMap", service).text("data", "application.yaml"));
  }

  /** What it reads below {@code mooring.<service>}. */
  static Object properties(List<KubeObject> objects, String service) {
    return properties(objects, service, service);
  }

  /** The same of one of several agents, whose objects have other names than the service. */
  static Object properties(List<KubeObject> objects, String name, String service) {
    return Trees.at(allProperties(objects, name), "mooring", service);
  }

  /** Of a role: every group, resource and verb. */
  static Set<String> grants(KubeObject role) {
    var grants = new TreeSet<String>();
    for (Object rule : role.list("rules")) {
      for (Object group : Trees.listOrEmpty(Trees.at(rule, "apiGroups"))) {
        for (Object resource : Trees.listOrEmpty(Trees.at(rule, "resources"))) {
          for (Object verb : Trees.listOrEmpty(Trees.at(rule, "verbs"))) {
            grants.add(group + "/" + resource + ": " + verb);
          }
        }
      }
    }
    return grants;
  }
}
