package dev.mooring.syncagent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.ExportWatchOptions;
import dev.mooring.runtime.export.SliceSelector;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.InformerSpec.AfterWatch;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.syncagent.publish.decide.ExportLookup;
import dev.mooring.syncagent.published.Publishing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent knows of its APIExport from its start on. */
class ExportLocatorIT {
  @TempDir private static Path sandbox;
  private static TestWorkspaces workspaces;

  @TempDir private Path directory;
  private KubeConnection connection;
  private ExportView view;
  private ExportLocator locator;

  @BeforeAll
  static void starts() {
    workspaces = TestWorkspaces.onSandbox(sandbox);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
  }

  @BeforeEach
  void exports() {
    WorkspacePath provider = workspaces.create("provider");
    workspaces
        .client(provider)
        .create(
            ExportWorkspace.EXPORTS,
            KubeObject.of(
                Map.of(
                    "apiVersion", ExportWorkspace.EXPORTS.apiVersion(),
                    "kind", "APIExport",
                    "metadata", Map.of("name", "boats"))));
    connection =
        KubeConnection.fromKubeconfig(
            workspaces.kubeconfigFor(provider, directory.resolve("kubeconfig")),
            ConnectionOptions.of("test"));
  }

  @AfterEach
  void closes() {
    workspaces.sandbox().faults().reset();
    locator.close();
    view.close();
    connection.close();
  }

  @Test
  void doesNotSayThatTheExportIsMissingBeforeItsSliceWasLookedAt() {
    locate("boats");
    awaitContact();

    assertThat(locator.lookup()).isEmpty();
    view.start();
    await().until(() -> locator.lookup().isPresent());

    assertThat(locator.lookup()).containsInstanceOf(ExportLookup.Found.class);
  }

  @Test
  void saysThatThereIsNoSliceOnceTheyWereLookedAt() {
    locate("ships");
    view.start();
    awaitContact();

    await()
        .untilAsserted(() ->
            assertThat(locator.lookup().map(ExportLookup.Unknown.class::cast))
                .map(ExportLookup.Unknown::reason)
                .contains("EndpointSliceNotFound"));
  }

  @Test
  void saysThatTheSliceCannotBeRead() {
    workspaces.sandbox().faults().inject(Fault.UNAVAILABLE, 1);
    locate("boats");
    view.start();
    await().until(() -> locator.lookup().isPresent());

    Optional<ExportLookup> refused = locator.lookup();
    workspaces.sandbox().faults().reset();

    assertThat(refused.map(ExportLookup.Unreadable.class::cast))
        .map(ExportLookup.Unreadable::message)
        .get()
        .asString()
        .startsWith("APIExportEndpointSlice boats cannot be read yet: ");
    await()
        .untilAsserted(
            () -> assertThat(locator.lookup()).containsInstanceOf(ExportLookup.Found.class));
  }

  private void locate(String slice) {
    var terms =
        new ExportWatchOptions(
            new SliceSelector.Named(slice, Optional.empty()),
            List.of(),
            Set.of(),
            Duration.ZERO,
            EndpointOverrides.NONE,
            AfterWatch.LIST_AGAIN);
    view = ExportView.of(connection, terms, new NoListener());
    locator =
        new ExportLocator(
            connection,
            new PublishSettings("agent", slice, "", Publishing.MANAGED, Map.of(), Set.of()),
            view,
            () -> {});
  }

  /** Until the server has answered the list of slices. */
  private void awaitContact() {
    await().until(() -> view.stalest(ExportView.BINDINGS).isPresent());
  }

  private record NoListener() implements ExportListener {
    @Override
    public void changed(ResourceType type, Change change) {}

    @Override
    public void stateChanged() {}
  }
}
