package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.RootIdentities;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.SandboxContext;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ShardStores;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in which admission plugins see a write. */
class AdmissionOrderTest {
  @Test
  void kcpDefaultsItsTypesFirstAndLabelsClaimedObjectsLast(@TempDir Path root) {
    var context = SandboxContext.of(KubeOptions.in(root), ShardServer.distribution());
    var shard =
        new ShardServer.ShardContext(
            new ShardStores(new InMemoryResourceStore()),
            Optional.empty(),
            new ServerUrls("https://sandbox.test:6443"),
            OtherShards.NONE,
            new RootIdentities(),
            List.of());
    try (var server = ShardServer.of(context, shard, context.bind(0))) {
      AdmissionChain chain = AdmissionChain.of(server.admissionPlugins());

      assertThat(chain.mutating())
          .containsExactly(
              "kcp types",
              "RbacEscalation",
              "Webhooks",
              "MutatingAdmissionPolicy",
              "apis.kcp.io/PermissionClaims");
      assertThat(chain.validating())
          .containsExactly("kcp types", "ValidatingAdmissionPolicy", "Webhooks", "ResourceQuota");
    }
  }
}
