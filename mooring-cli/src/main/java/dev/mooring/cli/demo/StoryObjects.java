package dev.mooring.cli.demo;

import dev.mooring.harness.Manifests;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Objects of the story that are not manifests, because their content depends on what is there. */
final class StoryObjects {
  private StoryObjects() {}

  static KubeObject workspace(String name) {
    return Manifests.ofResource("/demo/workspace.yaml", Map.of("name", name)).getFirst();
  }

  /** Binds an APIExport and accepts every permission that it claims now. */
  static KubeObject bindingTo(WorkspacePath provider, KubeObject export) {
    List<Map<String, Object>> accepted =
        export.list("spec", "permissionClaims").stream()
            .map(claim -> {
              Map<String, Object> choice = new LinkedHashMap<>(Trees.mapOrEmpty(claim));
              choice.put("selector", Map.of("matchAll", true));
              choice.put("state", "Accepted");
              return choice;
            })
            .toList();
    return KubeObject.of(
        Trees.ordered(
            "apiVersion",
            "apis.kcp.io/v1alpha2",
            "kind",
            "APIBinding",
            "metadata",
            Map.of("name", export.name()),
            "spec",
            Trees.ordered(
                "reference",
                Map.of("export", Trees.ordered("path", provider.value(), "name", export.name())),
                "permissionClaims",
                accepted)));
  }
}
