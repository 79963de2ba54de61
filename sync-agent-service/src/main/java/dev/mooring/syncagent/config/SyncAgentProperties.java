package dev.mooring.syncagent.config;

import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.syncagent.agent.AgentSettings;
import dev.mooring.syncagent.agent.ReplicaMode;
import dev.mooring.syncagent.agent.ServiceCluster;
import dev.mooring.syncagent.publish.PublishSettings;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.Publishing;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.SyncSettings;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The properties of the sync agent; docs/reference/properties.md is generated from them.
 *
 * @param kubeconfig Kubeconfig of the service cluster. Default is the file that the environment
 *     variable KUBECONFIG names, the pod's service account or, outside a pod, ~/.kube/config.
 * @param kubeconfigHostOverride URL of the service cluster, in place of the kubeconfig's.
 * @param kubeconfigCaFileOverride File with the certificates to trust on the service cluster, in
 *     place of the kubeconfig's.
 * @param kcpKubeconfig Required. Kubeconfig of kcp, whose context points at the workspace of the
 *     APIExportEndpointSlice.
 * @param apiexportendpointsliceRef Required. Name of the APIExportEndpointSlice.
 * @param endpointHostOverride Hosts by which the endpoints of the APIExportEndpointSlice are
 *     reached, each as host[:port]=host[:port], or host[:port] for every endpoint. Default is those
 *     that kcp publishes.
 * @param namespace Namespace on the service cluster in which the agent keeps states and its Lease.
 * @param agentName Name of this agent, a DNS label that never changes. Default is the name of the
 *     endpoint slice with "-syncagent" appended.
 * @param publishedResourceSelector Label selector of the PublishedResources that are this agent's.
 *     Default is all of them.
 * @param apiGroup API group in kcp of published resources that have no projection.group. Default is
 *     the group that they have on the service cluster.
 * @param serviceTitle Title of the service for catalogs: annotation syncagent.kcp.io/service-title
 *     of the APIExport. Default is not to write it.
 * @param serviceDescription Description of the service for catalogs: annotation
 *     syncagent.kcp.io/service-description of the APIExport. Default is not to write it.
 * @param publishing Who writes APIResourceSchemas and the APIExport, where the PublishedResource
 *     sets nothing: the agent, or others, such as Argo CD or Flux from Git.
 * @param adoption What to do if another object has the name of a new copy, where the
 *     PublishedResource sets none.
 * @param workers Objects of one published resource that are worked on at the same time.
 * @param endpointAuth Whether the status and resync endpoints require a bearer token that the
 *     service cluster authenticates and authorizes.
 * @param console Whether the management port serves the console, a read-only page for browsers that
 *     asks for the same token.
 * @param leaderElection Whether to write only while holding the Lease syncagent.&lt;agent name&gt;
 *     in the agent's namespace, required for several replicas.
 * @param replicaMode What replicas do that do not hold the Lease: wait for it, or share the work,
 *     each syncing the objects of other workspaces while the holder publishes. Sharing switches
 *     leader election on.
 * @param serverSideApply No effect; for the flag enable-server-side-apply of api-syncagent. The
 *     agent's patches keep what others set in a copy in any case.
 * @param disabledControllers Parts of the agent to disable: apiresourceschema, apiexport, sync.
 * @param metricsAddress host:port that serves /metrics; empty or 0 for none. Default is none; with
 *     the Go agent's flags it is 127.0.0.1:8085.
 * @param healthAddress host:port that serves /healthz and /readyz; empty or 0 for none.
 */
@Validated
@ConfigurationProperties("mooring.sync-agent")
public record SyncAgentProperties(
    @Nullable Path kubeconfig,
    @DefaultValue("") String kubeconfigHostOverride,
    @Nullable Path kubeconfigCaFileOverride,
    @NotNull(message = "name the kubeconfig of kcp (--kcp-kubeconfig)") Path kcpKubeconfig,
    @NotBlank(message = "name the APIExportEndpointSlice (--apiexportendpointslice-ref)")
        String apiexportendpointsliceRef,
    @DefaultValue
        List<
                @Pattern(
                    regexp = EndpointOverrides.FORM,
                    message = "must be host[:port]=host[:port], or host[:port]")
                String>
            endpointHostOverride,
    @NotBlank @DefaultValue("default") String namespace,
    @Pattern(
            regexp = "|[a-z]([a-z0-9-]{0,61}[a-z0-9])?",
            message = "must be a DNS label: lower-case letters, digits and hyphens")
        @DefaultValue("")
        String agentName,
    @Pattern(regexp = SELECTOR, message = "must be a label selector, such as team=a,tier in (x,y)")
        @DefaultValue("")
        String publishedResourceSelector,
    @DefaultValue("") String apiGroup,
    @DefaultValue("") String serviceTitle,
    @DefaultValue("") String serviceDescription,
    @NotNull @DefaultValue("MANAGED") Publishing publishing,
    @NotNull @DefaultValue("UNCLAIMED") Adoption adoption,
    @Min(1) @Max(256) @DefaultValue("8") int workers,
    @DefaultValue("true") boolean endpointAuth,
    @DefaultValue("true") boolean console,
    @DefaultValue("false") boolean leaderElection,
    @NotNull @DefaultValue("STANDBY") ReplicaMode replicaMode,
    @DefaultValue("false") boolean serverSideApply,
    @DefaultValue Set<PublishSettings.Part> disabledControllers,
    @Pattern(regexp = ADDRESS, message = ADDRESS_MESSAGE) @DefaultValue("") String metricsAddress,
    @Pattern(regexp = ADDRESS, message = ADDRESS_MESSAGE) @DefaultValue("") String healthAddress) {
  private static final String ADDRESS = "|0|[^/]*:[0-9]{1,5}";
  private static final String ADDRESS_MESSAGE = "must be host:port, :port, or 0 for none";
  private static final String LABEL = "([a-zA-Z0-9.-]+/)?[A-Za-z0-9][A-Za-z0-9._-]*";
  private static final String VALUE = "[A-Za-z0-9._-]*";
  private static final String REQUIREMENT =
      "\\s*(!?"
          + LABEL
          + "|"
          + LABEL
          + "\\s*(=|==|!=)\\s*"
          + VALUE
          + "|"
          + LABEL
          + "\\s+(in|notin)\\s*\\([^()]*\\)|"
          + LABEL
          + "\\s*[<>]\\s*[0-9]+)\\s*";
  private static final String SELECTOR = "|" + REQUIREMENT + "(," + REQUIREMENT + ")*";

  /**
   * @param identity of this process among its replicas
   */
  AgentSettings settings(String identity) {
    String name = agentName.isEmpty() ? apiexportendpointsliceRef + "-syncagent" : agentName;
    return new AgentSettings(
        new ServiceCluster(
            Optional.ofNullable(kubeconfig),
            Optional.of(kubeconfigHostOverride).filter(url -> !url.isEmpty()),
            Optional.ofNullable(kubeconfigCaFileOverride)),
        kcpKubeconfig,
        EndpointOverrides.of(endpointHostOverride),
        publishedResourceSelector,
        leaderElection || replicaMode == ReplicaMode.SHARING
            ? Optional.of(LeaseTerms.of(namespace, AgentSettings.LEASE_PREFIX + name, identity))
            : Optional.empty(),
        replicaMode,
        new PublishSettings(
            name,
            apiexportendpointsliceRef,
            apiGroup,
            publishing,
            exportAnnotations(),
            disabledControllers),
        new SyncSettings(name, adoption, workers, namespace));
  }

  private Map<String, String> exportAnnotations() {
    var annotations = new LinkedHashMap<String, String>();
    if (!serviceTitle.isEmpty()) {
      annotations.put(SyncMarks.SERVICE_TITLE, serviceTitle);
    }
    if (!serviceDescription.isEmpty()) {
      annotations.put(SyncMarks.SERVICE_DESCRIPTION, serviceDescription);
    }
    return annotations;
  }
}
