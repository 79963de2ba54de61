package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in which admission plugins see a write, in both kinds of server. */
class AdmissionOrderTest {
  @TempDir Path root;

  @Test
  void kcpDefaultsItsTypesFirstAndLabelsClaimedObjectsLast() {
    AdmissionChain chain = chain(ServerOptions.Mode.KCP);

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

  @Test
  void kubernetesCountsQuotasLast() {
    AdmissionChain chain = chain(ServerOptions.Mode.KUBERNETES);

    assertThat(chain.mutating())
        .containsExactly("RbacEscalation", "MutatingAdmissionPolicy", "Webhooks");
    assertThat(chain.validating())
        .containsExactly("ValidatingAdmissionPolicy", "Webhooks", "ResourceQuota");
  }

  private AdmissionChain chain(ServerOptions.Mode mode) {
    ServerOptions options = ServerOptions.in(root).withMode(mode);
    var shard =
        Assembly.ShardContext.alone(new InMemoryResourceStore(), "https://sandbox.test:6443");
    try (var lifecycles = new Lifecycles()) {
      return new Assembly(SharedParts.of(options, Clock.systemUTC()), shard, lifecycles).admission;
    }
  }
}
