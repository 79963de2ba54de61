package dev.mooring.runtime.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.watch.Change;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MultiShardInformerTest {
  private static final ResourceType ORDERS = new ResourceType("example.io", "v1", "orders");

  // Nothing listens on port 1.
  private static final URI ENDPOINT = URI.create("https://127.0.0.1:1/services/apiexport/x/y");

  @TempDir private Path directory;

  @Test
  void followNothingOnceTheyAreClosed() throws Exception {
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: none
            contexts: [{name: none, context: {cluster: none, user: none}}]
            clusters: [{name: none, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: none, user: {token: none}}]
            """);
    try (var connection =
            KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("closed-test"));
        var view =
            ExportView.of(
                connection,
                ExportWatchOptions.of("none"),
                new SilentListener(),
                SystemTime.steadyClock(),
                SystemTime.scheduler())) {
      MultiShardInformer objects = view.follow(ORDERS, _ -> {});
      objects.follow(Set.of(ENDPOINT));
      assertThat(objects.everywhere()).hasSize(1);

      objects.close();
      // As of endpoints that were told of while they closed.
      objects.follow(Set.of(ENDPOINT));

      assertThat(objects.everywhere()).isEmpty();
    }
  }

  private record SilentListener() implements ExportListener {
    @Override
    public void changed(ResourceType type, Change change) {}

    @Override
    public void stateChanged() {}
  }
}
