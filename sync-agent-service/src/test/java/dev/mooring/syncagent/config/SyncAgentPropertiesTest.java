package dev.mooring.syncagent.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.syncagent.agent.AgentSettings;
import dev.mooring.syncagent.agent.ServiceCluster;
import dev.mooring.syncagent.publish.PublishSettings;
import dev.mooring.syncagent.published.Adoption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

class SyncAgentPropertiesTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner().withUserConfiguration(Properties.class);

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(SyncAgentProperties.class)
  static class Properties {}

  @Test
  void fillsInDefaults() {
    runner
        .withPropertyValues(
            "mooring.sync-agent.kcp-kubeconfig=kcp.yaml",
            "mooring.sync-agent.apiexportendpointslice-ref=certs")
        .run(context -> {
          AgentSettings settings = context.getBean(SyncAgentProperties.class).settings("replica-1");
          assertThat(settings.serviceCluster())
              .isEqualTo(new ServiceCluster(Optional.empty(), Optional.empty(), Optional.empty()));
          assertThat(settings.kcpKubeconfig()).isEqualTo(Path.of("kcp.yaml"));
          assertThat(settings.endpointOverrides()).isEqualTo(EndpointOverrides.NONE);
          assertThat(settings.sync().agentName()).isEqualTo("certs-syncagent");
          assertThat(settings.sync().adoption()).isEqualTo(Adoption.UNCLAIMED);
          assertThat(settings.sync().stateNamespace()).isEqualTo("default");
          assertThat(settings.lease()).isEmpty();
        });
  }

  @Test
  void takesEveryValue() {
    runner
        .withPropertyValues(
            "mooring.sync-agent.kubeconfig=service.yaml",
            "mooring.sync-agent.kubeconfig-host-override=https://elsewhere:6443",
            "mooring.sync-agent.kubeconfig-ca-file-override=ca.crt",
            "mooring.sync-agent.kcp-kubeconfig=kcp.yaml",
            "mooring.sync-agent.apiexportendpointslice-ref=certs",
            "mooring.sync-agent.endpoint-host-override=kcp:6443=localhost:8445,front",
            "mooring.sync-agent.namespace=agents",
            "mooring.sync-agent.agent-name=mine",
            "mooring.sync-agent.published-resource-selector=team in (blue, red),!old,a.b/c!=d",
            "mooring.sync-agent.disabled-controllers=apiexport,sync",
            "mooring.sync-agent.api-group=corp.example",
            "mooring.sync-agent.adoption=never",
            "mooring.sync-agent.workers=3",
            "mooring.sync-agent.leader-election=true")
        .run(context -> {
          AgentSettings settings = context.getBean(SyncAgentProperties.class).settings("replica-1");
          assertThat(settings.serviceCluster())
              .isEqualTo(
                  new ServiceCluster(
                      Optional.of(Path.of("service.yaml")),
                      Optional.of("https://elsewhere:6443"),
                      Optional.of(Path.of("ca.crt"))));
          assertThat(settings.endpointOverrides())
              .isEqualTo(EndpointOverrides.of(List.of("kcp:6443=localhost:8445", "front")));
          assertThat(settings.publishedResourceSelector())
              .isEqualTo("team in (blue, red),!old,a.b/c!=d");
          assertThat(settings.publish().disabled())
              .containsExactlyInAnyOrder(PublishSettings.Part.APIEXPORT, PublishSettings.Part.SYNC);
          assertThat(settings.publish().defaultGroup()).isEqualTo("corp.example");
          assertThat(settings.publish().endpointSlice()).isEqualTo("certs");
          assertThat(settings.sync().agentName()).isEqualTo("mine");
          assertThat(settings.sync().adoption()).isEqualTo(Adoption.NEVER);
          assertThat(settings.sync().workers()).isEqualTo(3);
          assertThat(settings.lease())
              .contains(LeaseTerms.of("agents", "syncagent.mine", "replica-1"));
        });
  }

  @Test
  void refusesToDisableWhatThereIsNot() {
    runner
        .withPropertyValues(
            "mooring.sync-agent.kcp-kubeconfig=kcp.yaml",
            "mooring.sync-agent.apiexportendpointslice-ref=certs",
            "mooring.sync-agent.disabled-controllers=everything")
        .run(context ->
            assertThat(context).getFailure().rootCause().hasMessageContaining("everything"));
  }

  @Test
  void refusesWhatCannotWork() {
    runner
        .withPropertyValues(
            "mooring.sync-agent.agent-name=Not_A_Label",
            "mooring.sync-agent.endpoint-host-override=https://kcp",
            "mooring.sync-agent.published-resource-selector=team=a b")
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("name the kubeconfig of kcp")
                .hasMessageContaining("name the APIExportEndpointSlice")
                .hasMessageContaining("must be a label selector")
                .hasMessageContaining("must be host[:port]=host[:port]")
                .hasMessageContaining("must be a DNS label"));
  }
}
