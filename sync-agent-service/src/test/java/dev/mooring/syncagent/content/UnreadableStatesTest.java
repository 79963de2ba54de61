package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.clusters.ServiceObjects;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The right on Secrets is missing where states are kept. */
class UnreadableStatesTest {
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final ResourceType THINGS = new ResourceType("example.io", "v1", "things");
  private static final String REFUSAL =
      "{\"kind\":\"Status\",\"code\":403,\"message\":\"secrets is forbidden in namespace agent\"}";

  @TempDir private Path directory;

  @Test
  void sayWhyTheyCannotBeRead() {
    try (StubServer server =
            StubServer.start(StubServer.replying(403, "application/json", REFUSAL));
        KubeConnection connection = server.connect(directory, "", "{}")) {
      KubeClient client = connection.client();
      var secrets =
          ServiceObjects.start(client, InformerSpec.of(SECRETS).inNamespace("agent"), _ -> {});
      try {
        var inSecrets = new SecretStateStore(client, THINGS, secrets, "agent", "us");
        var fitting =
            new LastKnownStates(
                Optional.of(new AnnotationStateStore(client, THINGS)),
                inSecrets,
                new GoAgentStateStore(client, secrets, "agent"));

        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(() -> assertThat(fitting.lastFailure()).isPresent());
        assertThat(fitting.lastFailure().orElseThrow()).hasMessageContaining("is forbidden");
        assertThat(fitting.isSynced()).isFalse();
      } finally {
        secrets.close();
      }
    }
  }
}
