package dev.mooring.sandbox.security.admin;

import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.security.certificate.PemFiles;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The administrators' kubeconfig, with the clusters, users and contexts of the one that kcp writes
 * (pkg/server/options/authentication.go).
 */
public final class Kubeconfigs {
  /** Subject to authorization, bound to cluster-admin in every workspace. */
  public static final String KCP_ADMIN = "kcp-admin";

  /** In {@code system:masters}: needed for bare paths and direct wildcard requests. */
  public static final String SHARD_ADMIN = "shard-admin";

  /** The one administrator of a plain Kubernetes server, in {@code system:masters}. */
  public static final String KUBERNETES_ADMIN = "kubernetes-admin";

  private Kubeconfigs() {}

  /**
   * Contexts {@code base}, {@code root} (the current one), {@code shard-base} and {@code
   * system:admin}.
   *
   * @param server without a path
   * @param shard the one with the workspace root, at its own address, because a front proxy serves
   *     the contexts {@code shard-base} and {@code system:admin} to no user; without a path
   */
  public static String kcp(URI server, URI shard, String authorityPem, AdminTokens tokens) {
    var clusters = new LinkedHashMap<String, String>();
    clusters.put("base", server.toString());
    clusters.put("root", server + "/clusters/root");
    clusters.put("system:admin", shard + "/clusters/system:admin");
    boolean alone = shard.equals(server);
    if (!alone) {
      clusters.put("shard-base", shard.toString());
    }
    return render(
        authorityPem,
        clusters,
        List.of(
            context("base", "base", KCP_ADMIN),
            context("root", "root", KCP_ADMIN),
            context("shard-base", alone ? "base" : "shard-base", SHARD_ADMIN),
            context("system:admin", "system:admin", SHARD_ADMIN)),
        "root",
        List.of(user(KCP_ADMIN, tokens.admin()), user(SHARD_ADMIN, tokens.shardAdmin())));
  }

  /** A plain Kubernetes server: one context {@code kubernetes}, user {@link #KUBERNETES_ADMIN}. */
  public static String kubernetes(URI server, String authorityPem, AdminTokens tokens) {
    return render(
        authorityPem,
        Map.of("kubernetes", server.toString()),
        List.of(context("kubernetes", "kubernetes", KUBERNETES_ADMIN)),
        "kubernetes",
        List.of(user(KUBERNETES_ADMIN, tokens.admin())));
  }

  /** Replaces the file; readable by its owner alone, since it holds tokens. */
  public static void write(Path file, String kubeconfig) {
    PemFiles.writePrivately(file, kubeconfig);
  }

  private static Map<String, Object> context(String name, String cluster, String user) {
    return Map.of("name", name, "context", Map.of("cluster", cluster, "user", user));
  }

  private static Map<String, Object> user(String name, String token) {
    return Map.of("name", name, "user", Map.of("token", token));
  }

  private static String render(
      String authorityPem,
      Map<String, String> serverByCluster,
      List<Map<String, Object>> contexts,
      String current,
      List<Map<String, Object>> users) {
    String authority =
        Base64.getEncoder().encodeToString(authorityPem.getBytes(StandardCharsets.UTF_8));
    var clusters = new ArrayList<Map<String, Object>>();
    serverByCluster.forEach((name, server) ->
        clusters.add(
            Map.of(
                "name",
                name,
                "cluster",
                Map.of("certificate-authority-data", authority, "server", server))));
    return YamlText.write(
        Map.of(
            "apiVersion", "v1",
            "kind", "Config",
            "clusters", clusters,
            "contexts", contexts,
            "current-context", current,
            "preferences", Map.of(),
            "users", users));
  }
}
