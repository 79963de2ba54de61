package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.compat.CommandLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** An agent that is stopped, as SIGTERM does it, in the middle of its work. */
class StoppingIT {
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");
  private static final int OBJECTS = 40;

  @TempDir private static Path directory;
  private static TwoClusters clusters;

  @BeforeAll
  static void start() throws IOException {
    clusters = new TwoClusters(directory);
    clusters.stopAgent();
  }

  @AfterAll
  static void stop() {
    clusters.close();
  }

  @Test
  void endsWritesUnderWayAndReleasesItsLease() {
    var certificates = new Certificates(clusters, "consumer-1");
    try (ConfigurableApplicationContext _ = leader()) {
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

  private static ConfigurableApplicationContext leader() {
    return SyncAgentApplication.run(
        (CommandLine.Start)
            CommandLine.read(
                "--apiexportendpointslice-ref=certs",
                "--enable-leader-election",
                "--kubeconfig=" + clusters.serviceKubeconfig(),
                "--kcp-kubeconfig=" + clusters.kcpKubeconfig(),
                "--namespace=default",
                "--metrics-address=0",
                "--log-format=Console"));
  }
}
