package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** An agent that is stopped, as SIGTERM does it, in the middle of its work. */
class StoppingIT {
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");
  private static final int OBJECTS = 40;

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  @Test
  void endsWritesUnderWayAndReleasesItsLease() {
    var certificates = new Certificates(clusters, "consumer-1");
    try (ConfigurableApplicationContext _ =
        AgentStart.between(clusters).startByFlags("--enable-leader-election")) {
      clusters.eventually(
          clusters.service(),
          LEASES,
          "default",
          "syncagent.certs-syncagent",
          lease -> assertThat(lease.text("spec", "holderIdentity")).isNotEmpty());
      for (int i = 0; i < OBJECTS; i++) {
        certificates.order("drained-" + i);
      }
      certificates.copy("drained-0");
    }

    List<KubeObject> copies =
        clusters.service().list(TwoClusters.CERTIFICATES, ListQuery.ALL).items();
    assertThat(
            clusters
                .service()
                .find(LEASES, "default", "syncagent.certs-syncagent")
                .orElseThrow()
                .text("spec", "holderIdentity"))
        .isEmpty();
    assertThat(copies)
        .isNotEmpty()
        .allSatisfy(copy ->
            assertThat(
                    certificates
                        .source(
                            copy.annotation("syncagent.kcp.io/remote-object-name").orElseThrow())
                        .finalizers())
                .contains("syncagent.kcp.io/cleanup"));

    // Nothing is left that the next one could not go on with.
    clusters.startAgent();
    for (int i = 0; i < OBJECTS; i++) {
      certificates.copy("drained-" + i);
    }
  }
}
