package dev.mooring.sandbox.security.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.Trees;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

class KubeconfigsTest {
  private static final URI SERVER = URI.create("https://127.0.0.1:6443");
  private static final AdminTokens TOKENS = new AdminTokens("admin-token", "shard-token");

  @TempDir Path directory;

  @Test
  void kcpHasTheContextsOfKcp() {
    Object document = new Yaml().load(Kubeconfigs.kcp(SERVER, SERVER, "pem", TOKENS));

    assertThat(Trees.at(document, "current-context")).isEqualTo("root");
    assertThat(contexts(document))
        .containsExactly(
            "base: kcp-admin@base",
            "root: kcp-admin@root",
            "shard-base: shard-admin@base",
            "system:admin: shard-admin@system:admin");
    assertThat(servers(document))
        .containsExactly(
            "base: https://127.0.0.1:6443",
            "root: https://127.0.0.1:6443/clusters/root",
            "system:admin: https://127.0.0.1:6443/clusters/system:admin");
  }

  @Test
  void contextsOfMastersLeadToAShardBehindAFrontProxy() {
    URI shard = URI.create("https://127.0.0.1:6444");

    Object document = new Yaml().load(Kubeconfigs.kcp(SERVER, shard, "pem", TOKENS));

    assertThat(contexts(document))
        .contains("shard-base: shard-admin@shard-base", "system:admin: shard-admin@system:admin");
    assertThat(servers(document))
        .containsExactlyInAnyOrder(
            "base: https://127.0.0.1:6443",
            "root: https://127.0.0.1:6443/clusters/root",
            "shard-base: https://127.0.0.1:6444",
            "system:admin: https://127.0.0.1:6444/clusters/system:admin");
  }

  @Test
  void plainKubernetesHasOneContext() {
    Object document = new Yaml().load(Kubeconfigs.kubernetes(SERVER, "pem", TOKENS));

    assertThat(contexts(document)).containsExactly("kubernetes: kubernetes-admin@kubernetes");
    assertThat(servers(document)).containsExactly("kubernetes: https://127.0.0.1:6443");
  }

  @Test
  void tokensOfAnExistingKubeconfigAreKept() {
    Path file = directory.resolve("admin.kubeconfig");
    Kubeconfigs.write(file, Kubeconfigs.kcp(SERVER, SERVER, "pem", TOKENS));

    assertThat(AdminTokens.keptIn(file, Kubeconfigs.KCP_ADMIN)).isEqualTo(TOKENS);
  }

  @Test
  void tokensAreFreshWithoutAKubeconfig() {
    Path file = directory.resolve("admin.kubeconfig");

    AdminTokens first = AdminTokens.keptIn(file, Kubeconfigs.KCP_ADMIN);
    AdminTokens second = AdminTokens.keptIn(file, Kubeconfigs.KCP_ADMIN);

    assertThat(first).isNotEqualTo(second);
    assertThat(first.admin()).hasSizeGreaterThan(30).isNotEqualTo(first.shardAdmin());
  }

  private static List<String> contexts(Object document) {
    var lines = new ArrayList<String>();
    for (Object context : Trees.listOrEmpty(Trees.at(document, "contexts"))) {
      lines.add(
          "%s: %s@%s"
              .formatted(
                  Trees.at(context, "name"),
                  Trees.at(context, "context", "user"),
                  Trees.at(context, "context", "cluster")));
    }
    return lines;
  }

  private static List<String> servers(Object document) {
    var lines = new ArrayList<String>();
    for (Object cluster : Trees.listOrEmpty(Trees.at(document, "clusters"))) {
      lines.add(Trees.at(cluster, "name") + ": " + Trees.at(cluster, "cluster", "server"));
    }
    return lines;
  }
}
