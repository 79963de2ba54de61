package dev.mooring.sandbox.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in which admission plugins see a write. */
class AdmissionOrderTest {
  @Test
  void kubernetesCountsQuotasLast(@TempDir Path root) {
    var context = SandboxContext.of(KubeOptions.in(root), Distribution.kubernetes());
    try (var server = KubeServer.plain(context, new InMemoryResourceStore(), context.bind(0))) {
      AdmissionChain chain = AdmissionChain.of(server.admissionPlugins());

      assertThat(chain.mutating())
          .containsExactly("RbacEscalation", "MutatingAdmissionPolicy", "Webhooks");
      assertThat(chain.validating())
          .containsExactly("ValidatingAdmissionPolicy", "Webhooks", "ResourceQuota");
    }
  }
}
