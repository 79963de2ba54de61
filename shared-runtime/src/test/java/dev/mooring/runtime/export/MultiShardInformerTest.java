package dev.mooring.runtime.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.watch.Change;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MultiShardInformerTest {
  private static final ResourceType ORDERS = new ResourceType("example.io", "v1", "orders");

  // Nothing listens on port 1.
  private static final URI ENDPOINT = URI.create("https://127.0.0.1:1/services/apiexport/x/y");

  private KubeConnection connection;
  private ExportView view;
  private MultiShardInformer objects;

  @BeforeEach
  void follow(@TempDir Path directory) throws IOException {
    connection = connection(directory);
    view = ExportView.of(connection, ExportWatchOptions.of("none"), new SilentListener());
    objects = view.follow(ORDERS, _ -> {});
    objects.follow(Set.of(ENDPOINT));
  }

  @AfterEach
  void close() {
    view.close();
    connection.close();
  }

  @Test
  void followNothingOnceTheyAreClosed() {
    assertThat(objects.everywhere()).hasSize(1);

    objects.close();
    // A slice may change while they close.
    objects.follow(Set.of(ENDPOINT));

    assertThat(objects.everywhere()).isEmpty();
  }

  @Test
  void haveAnInformerForAsLongAsItIsOpen() {
    var there = new AtomicBoolean();
    objects
        .informer(ENDPOINT)
        .orElseThrow()
        .synced()
        .whenComplete((_, _) -> there.set(objects.informer(ENDPOINT).isPresent()));

    objects.follow(Set.of());

    assertThat(there).as("while it was closed").isTrue();
    assertThat(objects.informer(ENDPOINT)).isEmpty();
  }

  private static KubeConnection connection(Path directory) throws IOException {
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
    return KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("closed-test"));
  }

  private record SilentListener() implements ExportListener {
    @Override
    public void changed(ResourceType type, Change change) {}

    @Override
    public void stateChanged() {}
  }
}
