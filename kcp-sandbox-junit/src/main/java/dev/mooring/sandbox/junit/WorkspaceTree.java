package dev.mooring.sandbox.junit;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The workspaces of one test: a root below kcp's {@code root}, named after the test, and those that
 * the test declares by {@link Workspace} or creates here. Paths are relative to the tree's root.
 * Thread-safe.
 */
public final class WorkspaceTree {
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final Duration PAUSE_MIN = Duration.ofMillis(2);
  private static final Duration PAUSE_MAX = Duration.ofMillis(200);

  /** So many types are listed where one is unknown. */
  private static final int TYPES_LISTED_MAX = 20;

  private final KcpServer server;
  private final WorkspacePath root;

  /** Ready ones, as they were wished. */
  private final Map<WorkspacePath, Wish> ready = new HashMap<>();

  WorkspaceTree(KcpServer server, String name) {
    this.server = server;
    this.root = WorkspacePath.ROOT.child(name);
  }

  /** The root's path, such as {@code root:widgets-a-consumer-binds-1k9x2f}. */
  public String path() {
    return root.value();
  }

  /**
   * The path from kcp's root.
   *
   * @param relative such as {@code provider}; it need not exist
   */
  public String path(String relative) {
    return WorkspaceNames.below(root, relative).value();
  }

  /** An administrator's connection to the tree's root. */
  public KcpConnection connection() {
    return connection("");
  }

  /** An administrator's connection to a workspace, which need not exist. */
  public KcpConnection connection(String relative) {
    return server.admin().at(path(relative));
  }

  /**
   * Creates a workspace of type {@code root:universal}, and those of its parents that are missing;
   * it is ready when this returns.
   */
  public KcpConnection create(String relative) {
    return create(relative, "");
  }

  /**
   * As {@link #create(String)}.
   *
   * @param type with its path, such as {@code root:organization} or {@code tree.path("provider") +
   *     ":mytype"}
   * @throws KcpProblem if kcp refuses, or it has another type already
   */
  public KcpConnection create(String relative, String type) {
    ensure(new TreeMap<>(Map.of(relative, Wish.of(type, ""))));
    return connection(relative);
  }

  /**
   * Creates what is missing, parents first.
   *
   * @param declared by relative path
   */
  synchronized void ensure(SortedMap<String, Wish> declared) {
    var wanted = new TreeMap<WorkspacePath, Wish>();
    declared.forEach((relative, wish) -> wanted.put(WorkspaceNames.below(root, relative), wish));
    wanted.putIfAbsent(root, Wish.NONE);
    for (WorkspacePath path : List.copyOf(wanted.keySet())) {
      for (WorkspacePath up = path; !up.equals(root); up = up.parent().orElseThrow()) {
        wanted.putIfAbsent(up, Wish.NONE);
      }
    }
    wanted.forEach(this::requireSame);
    // All of one depth at once: kcp makes them ready side by side.
    wanted.keySet().stream()
        .filter(path -> !ready.containsKey(path))
        .collect(Collectors.groupingBy(WorkspaceTree::depth, TreeMap::new, Collectors.toList()))
        .values()
        .forEach(level -> create(level, wanted));
  }

  private static int depth(WorkspacePath path) {
    return path.value().split(":").length;
  }

  private void requireSame(WorkspacePath path, Wish wish) {
    Wish existing = ready.get(path);
    if (existing == null) {
      return;
    }
    if (wish.type().isPresent() && !existing.effectiveType().equals(wish.effectiveType())) {
      throw new KcpProblem(
          "the workspace %s has the type %s already, and cannot get %s: give both the same type"
              .formatted(path, existing.effectiveType(), wish.effectiveType()));
    }
    if (wish.shard().isPresent() && !existing.shard().equals(wish.shard())) {
      throw new KcpProblem(
          "the workspace %s exists already, and cannot go to %s: name the shard where it is"
                  .formatted(path, wish.shard().get())
              + " declared first");
    }
  }

  private void create(Collection<WorkspacePath> level, Map<WorkspacePath, Wish> wanted) {
    var wishes = new LinkedHashMap<WorkspacePath, Wish>();
    for (WorkspacePath path : level) {
      wishes.put(path, wanted.getOrDefault(path, Wish.NONE));
    }
    wishes.forEach((path, wish) -> wish.shard().ifPresent(shard -> requireShard(path, shard)));
    wishes.forEach(this::post);
    wishes.forEach((path, wish) -> {
      awaitReady(path);
      ready.put(path, wish);
    });
  }

  private void requireShard(WorkspacePath path, String shard) {
    Set<String> shards = KcpShards.of(server.client()).urls().keySet();
    if (!shards.contains(shard)) {
      throw new KcpProblem(
          "the workspace %s cannot go to the shard %s: the kcp at %s has %s. More come with"
                  .formatted(path, shard, server.admin().url(), String.join(", ", shards))
              + " @WithKcp(shards = …)");
    }
  }

  private void post(WorkspacePath path, Wish wish) {
    KcpClient.Answer answer =
        server
            .client()
            .post(
                workspaces(path.parent().orElseThrow()),
                Map.of(
                    "apiVersion",
                    "tenancy.kcp.io/v1alpha1",
                    "kind",
                    "Workspace",
                    "metadata",
                    Map.of("name", path.name()),
                    "spec",
                    wish.spec()));
    if (!answer.isSuccess()) {
      throw new KcpProblem(
          "kcp refuses the workspace %s of type %s: %s%s"
              .formatted(
                  path, wish.effectiveType(), answer.message(), advice(wish.effectiveType())));
    }
  }

  /** Names the types that exist, if the wanted one does not. */
  private String advice(WorkspacePath type) {
    WorkspacePath where = type.parent().orElseThrow();
    KcpClient.Answer answer =
        server.client().get("/clusters/" + where + "/apis/tenancy.kcp.io/v1alpha1/workspacetypes");
    List<String> names =
        answer.body().list("items").stream()
            .map(item -> Trees.text(item, "metadata", "name"))
            .toList();
    if (!answer.isSuccess()) {
      return ". The types of " + where + " cannot be listed: " + answer.message();
    }
    if (names.contains(type.name())) {
      return "";
    }
    return ". The types of "
        + where
        + " are "
        + String.join(", ", names.subList(0, Math.min(names.size(), TYPES_LISTED_MAX)))
        + ". A type of your own has to exist before its workspace: create it, then call"
        + " WorkspaceTree.create(path, type)";
  }

  private void awaitReady(WorkspacePath path) {
    String workspace = workspaces(path.parent().orElseThrow()) + "/" + path.name();
    long deadline = System.nanoTime() + READY_WITHIN.toNanos();
    for (Duration pause = PAUSE_MIN; ; pause = longer(pause)) {
      KubeObject seen = server.client().get(workspace).body();
      if (seen.text("status", "phase").equals("Ready") && isServed(path)) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new KcpProblem(
            "the workspace %s is not ready after %s s: phase \"%s\", conditions %s. A type with"
                    .formatted(
                        path,
                        READY_WITHIN.toSeconds(),
                        seen.text("status", "phase"),
                        seen.list("status", "conditions"))
                + " initializers needs its controller, started before the workspace is created");
      }
      LockSupport.parkNanos(pause.toNanos());
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new KcpProblem("interrupted while waiting for the workspace " + path);
      }
    }
  }

  private static Duration longer(Duration pause) {
    Duration doubled = pause.multipliedBy(2);
    return doubled.compareTo(PAUSE_MAX) < 0 ? doubled : PAUSE_MAX;
  }

  /** A front proxy knows the path some time after the workspace is ready. */
  private boolean isServed(WorkspacePath path) {
    return server
        .client()
        .get("/clusters/" + path + "/apis/core.kcp.io/v1alpha1/logicalclusters/cluster")
        .isSuccess();
  }

  private static String workspaces(WorkspacePath parent) {
    return "/clusters/" + parent + "/apis/tenancy.kcp.io/v1alpha1/workspaces";
  }

  /** Asks kcp to delete the tree, which takes some time; a tree that was never made is left. */
  synchronized void delete() {
    if (ready.containsKey(root)) {
      server.client().delete(workspaces(WorkspacePath.ROOT) + "/" + root.name());
    }
  }

  /** For the reader of a failure; null if the test made no workspace. */
  synchronized @Nullable String whereToLook() {
    if (!ready.containsKey(root)) {
      return null;
    }
    String paths =
        ready.keySet().stream()
            .sorted()
            .map(path -> "  " + server.admin().at(path.value()).url())
            .collect(Collectors.joining("\n"));
    return "the workspaces of this test are kept:\n%s\n  kubectl --kubeconfig %s --server %s get …\n%s"
        .formatted(paths, server.kubeconfigFile(), connection().url(), server.afterwards());
  }
}
