package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.console.testing.ConsoleContract;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.testing.LogLines;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The sync agent's management endpoints; the service cluster knows their callers. */
@ExtendWith(OutputCaptureExtension.class)
class ManagementIT extends ConsoleContract {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  private final Map<Port, ConfigurableApplicationContext> agents = new EnumMap<>(Port.class);
  private ConfigurableApplicationContext withoutTokens;

  @BeforeAll
  void starts() throws Exception {
    Manifests.read(Path.of("../charts/mooring/kcp/rbac-endpoint-callers.yaml"))
        .forEach(role -> clusters.service().create(Manifests.typeOf(role), role));
    Manifests.parse(BINDINGS)
        .forEach(binding -> clusters.service().create(Manifests.typeOf(binding), binding));
    agents.put(Port.SHARED, start());
    agents.put(Port.SEPARATE, start("--management.server.port=0"));
    withoutTokens = start("--mooring.sync-agent.endpoint-auth=false");
    awaitReady();
  }

  @AfterAll
  void stops() {
    agents.values().forEach(ConfigurableApplicationContext::close);
    withoutTokens.close();
  }

  @Test
  void theLogLineOfAFailedSyncNamesItsObject(CapturedOutput output) {
    RelatedStage.namespace(clusters.service(), "crowded");
    var orders =
        OrderedKind.publish(clusters, "crowded", "naming: {namespace: crowded, name: $remoteName}");
    clusters
        .service()
        .create(
            ResourceType.core("resourcequotas"),
            TwoClusters.object(
                "{apiVersion: v1, kind: ResourceQuota, metadata: {namespace: crowded, name: none},"
                    + " spec: {hard: {'count/%s': '0'}}}",
                orders.target().qualified()));

    orders.order("a");

    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(LogLines.fields(output.getOut(), "Cannot sync"))
                .contains(
                    Map.of(
                        "logical_cluster", orders.cluster(),
                        "type", orders.source().qualified(),
                        "namespace", "default",
                        "name", "a",
                        "published_resource", "crowded")));
  }

  private static ConfigurableApplicationContext start(String... more) {
    var arguments = new ArrayList<>(ARGUMENTS);
    arguments.addAll(
        List.of(
            "--server.port=0",
            "--mooring.sync-agent.kubeconfig=" + clusters.serviceKubeconfig(),
            "--mooring.sync-agent.kcp-kubeconfig=" + clusters.kcpKubeconfig(),
            "--mooring.sync-agent.apiexportendpointslice-ref=certs"));
    arguments.addAll(List.of(more));
    return new SpringApplicationBuilder(SyncAgentApplication.class)
        .run(arguments.toArray(String[]::new));
  }

  @Override
  protected URI management(Port port) {
    String property =
        switch (port) {
          case SHARED -> "local.server.port";
          case SEPARATE -> "local.management.port";
        };
    return URI.create(
        "http://127.0.0.1:" + agents.get(port).getEnvironment().getProperty(property));
  }

  @Override
  protected URI managementWithoutTokens() {
    return URI.create(
        "http://127.0.0.1:" + withoutTokens.getEnvironment().getProperty("local.server.port"));
  }

  @Override
  protected String item() {
    return "certificates";
  }

  @Override
  protected String unknownItem() {
    return "things";
  }

  @Override
  protected List<String> readinessDetails() {
    return List.of("\"clusters\"", "\"certificates\"");
  }
}
