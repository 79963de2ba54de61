package dev.mooring.runtime.testing;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** YAML files of several documents as objects, and the types of their kinds. */
public final class Manifests {
  private static final Map<String, String> PLURALS =
      Map.ofEntries(
          Map.entry("APIBinding", "apibindings"),
          Map.entry("APIExport", "apiexports"),
          Map.entry("APIResourceSchema", "apiresourceschemas"),
          Map.entry("ClusterRole", "clusterroles"),
          Map.entry("ClusterRoleBinding", "clusterrolebindings"),
          Map.entry("Namespace", "namespaces"),
          Map.entry("Role", "roles"),
          Map.entry("RoleBinding", "rolebindings"),
          Map.entry("Workspace", "workspaces"));

  private Manifests() {}

  public static List<KubeObject> read(Path file) {
    try {
      return parse(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file.toAbsolutePath(), e);
    }
  }

  public static List<KubeObject> parse(String yaml) {
    var objects = new ArrayList<KubeObject>();
    for (String document : yaml.split("(?m)^---\\s*$")) {
      Map<?, ?> tree = Serialization.unmarshal(document, Map.class);
      if (tree != null && !tree.isEmpty()) {
        objects.add(object(tree));
      }
    }
    return objects;
  }

  /** Of kinds that these tests create in workspaces. */
  public static ResourceType typeOf(KubeObject object) {
    String plural = PLURALS.get(object.kind());
    if (plural == null) {
      throw new IllegalArgumentException("no plural known of kind " + object.kind());
    }
    int slash = object.apiVersion().indexOf('/');
    return new ResourceType(
        slash < 0 ? "" : object.apiVersion().substring(0, slash),
        object.apiVersion().substring(slash + 1),
        plural);
  }

  @SuppressWarnings("unchecked") // keys of a YAML mapping of Kubernetes are strings
  private static KubeObject object(Map<?, ?> tree) {
    return KubeObject.of((Map<String, ?>) tree);
  }
}
