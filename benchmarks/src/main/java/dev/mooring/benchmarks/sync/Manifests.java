package dev.mooring.benchmarks.sync;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The benchmark's objects, and the types that it speaks of. */
final class Manifests {
  static final ResourceType PARCELS = new ResourceType("benchmark.mooring.dev", "v1", "parcels");
  static final ResourceType CRDS =
      new ResourceType("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  static final ResourceType PUBLISHED =
      new ResourceType("syncagent.kcp.io", "v1alpha1", "publishedresources");
  static final ResourceType EXPORTS = new ResourceType("apis.kcp.io", "v1alpha2", "apiexports");
  static final ResourceType BINDINGS = new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  static final ResourceType SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");
  static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");
  static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  static final ResourceType EVENTS = ResourceType.core("events");

  /** Of the APIExport, its endpoint slice and the APIBindings. */
  static final String EXPORT = "benchmark";

  private static final KubeObject PARCEL = resource("parcel.yaml");

  private Manifests() {}

  static KubeObject resource(String file) {
    try (InputStream in = Manifests.class.getResourceAsStream("/sync-benchmark/" + file)) {
      return parsed(yaml().load(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static KubeObject file(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return parsed(yaml().load(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static KubeObject parcel(String name) {
    return PARCEL.with(name, "metadata", "name");
  }

  static Map<String, Object> status(String phase) {
    return Map.of("phase", phase, "carrier", "Royal Mail");
  }

  private static KubeObject parsed(Object document) {
    return KubeObject.of(Trees.mapOrEmpty(document));
  }

  private static Yaml yaml() {
    return new Yaml(new SafeConstructor(new LoaderOptions()));
  }
}
