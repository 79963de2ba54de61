package dev.mooring.benchmarks.common;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Manifests in YAML, one or several in a file. */
public final class YamlFile {
  private YamlFile() {}

  /**
   * @param resource absolute name of a resource of this program, such as {@code /sync/crd.yaml}
   */
  public static List<KubeObject> resource(String resource) {
    try (InputStream in = YamlFile.class.getResourceAsStream(resource)) {
      return parsed(Objects.requireNonNull(in, resource));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<KubeObject> read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return parsed(in);
    } catch (IOException e) {
      throw new BenchmarkFailure(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<KubeObject> parsed(InputStream in) {
    var objects = new ArrayList<KubeObject>();
    for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(in)) {
      if (document != null) {
        objects.add(KubeObject.of(Trees.mapOrEmpty(document)));
      }
    }
    return List.copyOf(objects);
  }
}
