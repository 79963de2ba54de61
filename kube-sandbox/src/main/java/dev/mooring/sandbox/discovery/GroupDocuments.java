package dev.mooring.sandbox.discovery;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** APIVersions, APIGroupList and APIGroup: {@code /api}, {@code /apis}, {@code /apis/<group>}. */
final class GroupDocuments {
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
    var document = new LinkedHashMap<String, Object>();
    document.put("kind", "APIGroup");
    document.put("apiVersion", apiVersion);
    document.putAll(group(groups, name));
    return document;
  }

  private static Map<String, Object> group(ServedGroups groups, String name) {
    var versions = new ArrayList<Map<String, Object>>();
    for (String version : groups.versions(name)) {
      var entry = new LinkedHashMap<String, Object>();
      entry.put("groupVersion", name + "/" + version);
      entry.put("version", version);
      versions.add(entry);
    }
    return Trees.ordered(
        "name", name,
        "versions", versions,
        "preferredVersion", versions.getFirst());
  }

  private static List<Object> reachable(String address) {
    var entry = new LinkedHashMap<String, Object>();
    entry.put("clientCIDR", "0.0.0.0/0");
    entry.put("serverAddress", address);
    return List.of(entry);
  }
}
