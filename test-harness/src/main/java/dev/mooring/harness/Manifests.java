package dev.mooring.harness;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** YAML manifests as objects, and back. */
public final class Manifests {
  private static final int DOCUMENT_BYTES_MAX = 8 * 1024 * 1024;

  private Manifests() {}

  /**
   * The objects of a program's resource, such as {@code /demo/network.yaml}.
   *
   * @param values what replaces <code>${key}</code>
   */
  public static List<KubeObject> ofResource(String file, Map<String, String> values) {
    try (InputStream in = Manifests.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no resource " + file);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (Map.Entry<String, String> value : values.entrySet()) {
        text = text.replace("${" + value.getKey() + "}", value.getValue());
      }
      return parse(file, text);
    } catch (IOException e) {
      throw new HarnessFailure("The resource " + file + " cannot be read.", e);
    }
  }

  /** The objects of a file, in its order; a {@link HarnessFailure} names a file that has none. */
  public static List<KubeObject> ofFile(Path file) {
    return parse(file.toString(), OwnFiles.read(file));
  }

  /** The objects of rbac-shard-system-admin.yaml, with all types of the groups as dependents. */
  public static List<KubeObject> ofShard(Path file, List<String> groups) {
    String text =
        OwnFiles.read(file)
            .replace("[edge.example.corp]", groups.toString())
            .replace("[gateways]", "['*']");
    return parse(file.toString(), text);
  }

  /** The type of an object whose plural is its kind in lower case with an s. */
  public static ResourceType typeOf(KubeObject object) {
    String version = object.apiVersion();
    int slash = version.indexOf('/');
    return new ResourceType(
        slash < 0 ? "" : version.substring(0, slash),
        version.substring(slash + 1),
        object.kind().toLowerCase(Locale.ROOT) + "s");
  }

  public static String render(List<KubeObject> objects) {
    var options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setIndicatorIndent(2);
    options.setIndentWithIndicator(true);
    var yaml = new Yaml(options);
    return String.join(
        "---\n", objects.stream().map(object -> yaml.dump(Trees.thaw(object.tree()))).toList());
  }

  private static List<KubeObject> parse(String name, String text) {
    var limits = new LoaderOptions();
    limits.setCodePointLimit(DOCUMENT_BYTES_MAX);
    List<KubeObject> objects = new ArrayList<>();
    try {
      for (Object document : new Yaml(new SafeConstructor(limits)).loadAll(text)) {
        if (document instanceof Map<?, ?> map) {
          objects.add(KubeObject.of(Trees.thawMap(map)));
        }
      }
    } catch (YAMLException | IllegalArgumentException | ClassCastException e) {
      throw new HarnessFailure(name + " is not a YAML manifest: " + e.getMessage(), e);
    }
    HarnessFailure.unless(!objects.isEmpty(), name + " holds no object.");
    return objects;
  }
}
