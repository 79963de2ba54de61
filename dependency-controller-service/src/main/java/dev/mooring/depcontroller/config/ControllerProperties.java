package dev.mooring.depcontroller.config;

import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.runtime.export.EndpointOverrides;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The properties of the dependency controller; docs/reference/properties.md is generated from them.
 *
 * @param kubeconfig Kubeconfig whose current context points at the workspace of the APIExport.
 *     Default is the pod's service account.
 * @param apiExportName Name of the APIExport through which the controller reads rules and writes
 *     webhook configurations.
 * @param endpointHostOverride Hosts of the endpoints of the APIExport's endpoint slices, each as
 *     host[:port]=host[:port], or host[:port] for every endpoint. Default is the hosts that kcp
 *     publishes.
 * @param kcpBaseHost URL of kcp, without a path, through which the controller reads workspaces.
 *     Default is the kubeconfig's server.
 * @param webhookUrl Required. URL at which kcp's API servers reach the dependency webhook, such as
 *     https://dependency-webhook.example.com:9443/validate.
 * @param webhookCaBundlePath File with the PEM certificates of the webhook's certificate authority;
 *     read again when it changes. Default is the authorities that the API servers trust.
 * @param caCheckPeriod Period between checks of the CA bundle file and of the keys that sign URLs.
 * @param webhookFailurePolicy What API servers do with a deletion while the webhook does not
 *     answer: FAIL denies it, IGNORE allows it.
 * @param webhookTimeout Timeout of one call of the webhook; whole seconds, 30 at most.
 * @param webhookUser User by which kcp knows the webhook in consumers' workspaces. A rule with a
 *     type that this user may not read is not accepted. Empty: not checked.
 * @param webhookRulesMaxStaleness The webhook's rules-max-staleness. A rule is race-protected only
 *     after every replica of the webhook uses it or denies.
 * @param webhookIndexMaxStaleness The webhook's index.max-staleness. A rule is race-protected only
 *     after the webhook's indexes contain all earlier references.
 * @param maxStaleness Time without an event or bookmark from a shard after which the replica is not
 *     ready. It continues with its caches.
 * @param workers Providers and rules that are reconciled at the same time.
 * @param requestTimeout Timeout of one request to kcp.
 * @param resyncPeriod Period after which everything is reconciled even without an event.
 * @param endpointAuth Whether the status and resync endpoints require a bearer token that kcp
 *     authenticates and authorizes.
 * @param console Whether the management port serves the console, a read-only page for browsers that
 *     asks for the same token.
 * @param leaderElection Whether to write only while holding the Lease dependency-controller.
 *     Required for several replicas.
 * @param leaseNamespace Namespace, in the workspace of the APIExport, of the Lease and of Secret
 *     dependency-webhook-url-keys.
 */
@Validated
@ConfigurationProperties("mooring.dependency-controller")
public record ControllerProperties(
    @DefaultValue("") String kubeconfig,
    @NotBlank @DefaultValue("dependencies.opendefense.cloud") String apiExportName,
    @DefaultValue
        List<
                @Pattern(
                    regexp = EndpointOverrides.FORM,
                    message = "must be host[:port]=host[:port], or host[:port]")
                String>
            endpointHostOverride,
    @Pattern(
            regexp = "https?://[^/?#]+|",
            message = "must be a URL without a path, such as https://kcp.example.com:6443")
        @DefaultValue("")
        String kcpBaseHost,
    @NotBlank(message = "is required: the URL at which kcp reaches the dependency webhook")
        @Pattern(
            regexp = "https://[^?#]+|",
            message = "must begin with https:// and have no query: API servers refuse others")
        @DefaultValue("")
        String webhookUrl,
    @DefaultValue("") String webhookCaBundlePath,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("10s") Duration caCheckPeriod,
    @NotNull @DefaultValue("FAIL") FailurePolicy webhookFailurePolicy,
    @NotNull @DurationMin(seconds = 1) @DurationMax(seconds = 30) @DefaultValue("10s")
        Duration webhookTimeout,
    @DefaultValue("mooring:dependency-webhook") String webhookUser,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("75s") Duration webhookRulesMaxStaleness,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("75s") Duration webhookIndexMaxStaleness,
    @NotNull @DurationMin(seconds = 70) @DefaultValue("75s") Duration maxStaleness,
    @Min(1) @Max(64) @DefaultValue("4") int workers,
    @NotNull @DefaultValue("30s") Duration requestTimeout,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("10m") Duration resyncPeriod,
    @DefaultValue("true") boolean endpointAuth,
    @DefaultValue("true") boolean console,
    @DefaultValue("false") boolean leaderElection,
    @NotBlank @DefaultValue("dependency-system") String leaseNamespace) {}
