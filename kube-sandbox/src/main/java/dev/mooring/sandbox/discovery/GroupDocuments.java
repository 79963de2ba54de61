package dev.mooring.sandbox.discovery;

import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The documents {@code /version}, {@code /api}, {@code /apis} and {@code /apis/<group>}. */
final class GroupDocuments {
  private static final String MAJOR = "1";
  private static final String MINOR = "36";

  /** The Kubernetes that the sandbox imitates. */
  static final String VERSION = "v" + MAJOR + "." + MINOR + ".0";

  private GroupDocuments() {}

  /**
   * @param address host and port under which clients reach the server
   */
  static Map<String, Object> coreVersions(String address) {
    return Trees.ordered(
        "kind", "APIVersions",
        "versions", List.of("v1"),
        "serverAddressByClientCIDRs", reachable(address));
  }

  static Map<String, Object> groupList(ServedGroups groups, String address) {
    return Trees.ordered(
        "kind", "APIGroupList",
        "apiVersion", "v1",
        "groups",
            groups.names().stream()
                .map(name -> {
                  Map<String, Object> group = group(groups, name);
                  if (groups.builtIn(name)) {
                    group.put("serverAddressByClientCIDRs", reachable(address));
                  }
                  return group;
                })
                .toList());
  }

  static Map<String, Object> group(ServedGroups groups, String name, String apiVersion) {
    var document = Trees.ordered("kind", "APIGroup", "apiVersion", apiVersion);
    document.putAll(group(groups, name));
    return document;
  }

  private static Map<String, Object> group(ServedGroups groups, String name) {
    List<LinkedHashMap<String, Object>> versions =
        groups.versions(name).stream()
            .map(version -> Trees.ordered("groupVersion", name + "/" + version, "version", version))
            .toList();
    return Trees.ordered(
        "name", name,
        "versions", versions,
        "preferredVersion", versions.getFirst());
  }

  private static List<Object> reachable(String address) {
    return List.of(Trees.ordered("clientCIDR", "0.0.0.0/0", "serverAddress", address));
  }

  /** {@code /version}: which Kubernetes the sandbox imitates. */
  static Map<String, Object> version() {
    return Trees.ordered(
        "major",
        MAJOR,
        "minor",
        MINOR,
        "emulationMajor",
        MAJOR,
        "emulationMinor",
        MINOR,
        "minCompatibilityMajor",
        MAJOR,
        "minCompatibilityMinor",
        "35",
        "gitVersion",
        VERSION + "+kcp-sandbox",
        "gitCommit",
        "kcp-sandbox",
        "gitTreeState",
        "",
        "buildDate",
        "1970-01-01T00:00:00Z",
        "goVersion",
        "java" + Runtime.version().feature(),
        "compiler",
        "javac",
        "platform",
        "linux/amd64");
  }
}
