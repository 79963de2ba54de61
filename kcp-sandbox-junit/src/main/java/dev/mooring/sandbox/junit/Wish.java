package dev.mooring.sandbox.junit;

import dev.mooring.model.identity.WorkspacePath;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a workspace is to be.
 *
 * @param type {@code root:universal} if empty
 * @param shard its name; any if empty
 */
record Wish(Optional<WorkspacePath> type, Optional<String> shard) {
  static final Wish NONE = new Wish(Optional.empty(), Optional.empty());

  private static final WorkspacePath UNIVERSAL = new WorkspacePath("root:universal");

  /**
   * @throws KcpProblem if the type has no path
   */
  static Wish of(String type, String shard) {
    return new Wish(
        WorkspaceNames.type(type), shard.isEmpty() ? Optional.empty() : Optional.of(shard));
  }

  WorkspacePath effectiveType() {
    return type.orElse(UNIVERSAL);
  }

  /**
   * Both wishes for one workspace.
   *
   * @param workspace named in the message
   * @throws KcpProblem if they contradict
   */
  Wish and(Wish other, String workspace) {
    return new Wish(
        one("types", type, other.type, workspace), one("shards", shard, other.shard, workspace));
  }

  private static <T> Optional<T> one(
      String what, Optional<T> first, Optional<T> second, String workspace) {
    if (first.isPresent() && second.isPresent() && !first.equals(second)) {
      throw new KcpProblem(
          "@Workspace(\"%s\") has two %s, %s and %s: leave out one"
              .formatted(workspace, what, first.get(), second.get()));
    }
    return first.or(() -> second);
  }

  /** The {@code spec} of the Workspace. */
  Map<String, Object> spec() {
    var spec = new LinkedHashMap<String, Object>();
    spec.put(
        "type",
        Map.of(
            "path", effectiveType().parent().orElseThrow().value(),
            "name", effectiveType().name()));
    shard.ifPresent(name ->
        spec.put("location", Map.of("selector", Map.of("matchLabels", Map.of("name", name)))));
    return spec;
  }
}
