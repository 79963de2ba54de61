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
 * How the dependency controller is configured.
 *
 * @param kubeconfig file whose current context points at the workspace of the APIExport; empty for
 *     the pod's service account
 * @param apiExportName the APIExport through which rules are read and configurations written
 * @param endpointHostOverride hosts by which the endpoints of the APIExport's endpoint slices are
 *     reached, each as host[:port]=host[:port], or host[:port] for every endpoint; empty for those
 *     that kcp publishes
 * @param kcpBaseHost URL of kcp, without a path, through which workspaces are read; empty for the
 *     kubeconfig's
 * @param webhookUrl where kcp's API servers reach the dependency webhook, such as
 *     https://dependency-webhook.example.com:9443/validate; kcp takes no service references
 * @param webhookCa whether the webhook's certificate is made elsewhere, or by this controller,
 *     which then keeps it in Secret dependency-webhook-tls in the workspace of the APIExport
 * @param webhookCaBundlePath file with the PEM certificates that the webhook's certificate is
 *     checked with; read again when it changes; empty to trust what the API servers trust
 * @param caCheckPeriod how often that file, or the certificates, and the keys that sign URLs are
 *     looked at
 * @param caSpread how long a new authority of a self-managed CA is in every configuration before
 *     the webhook shows a certificate of it: copies on other shards follow unseen. A new key signs
 *     URLs after as long
 * @param caReload how long the one before stays in every configuration after that: every replica of
 *     the webhook has to show the new certificate by then. A provider whose configuration cannot be
 *     signed is excused after as long
 * @param webhookFailurePolicy what happens to deletions while the webhook does not answer
 * @param webhookTimeout of one call of the webhook, in whole seconds
 * @param webhookRulesSilenceMax the webhook's mooring.dependency-webhook.rules-silence-max: a rule
 *     is counted on as race-protected only after every replica goes by it or refuses
 * @param webhookIndexSilenceMax the webhook's mooring.dependency-webhook.index.silence-max: new
 *     references are counted on as race-protected only after what its indexes may be behind
 * @param silenceMax after which the replica is not ready, while a shard is not heard that tells of
 *     rules, bindings or webhook configurations; it goes on by what it knows
 * @param workers providers and rules worked on at the same time
 * @param requestTimeout of one request to kcp
 * @param resyncPeriod after which everything is looked at again even if nothing happened
 * @param endpointAuth whether the status and resync endpoints ask for a bearer token that kcp knows
 *     and permits
 * @param leaderElection whether to act only while holding the Lease dependency-controller, so that
 *     several replicas may run
 * @param leaseNamespace of that Lease, of the Secrets of a self-managed authority, and of Secret
 *     dependency-webhook-url-keys, in the workspace of the APIExport
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
    @NotNull @DefaultValue("FILE") WebhookCa webhookCa,
    @DefaultValue("") String webhookCaBundlePath,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("10s") Duration caCheckPeriod,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("1m") Duration caSpread,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("10m") Duration caReload,
    @NotNull @DefaultValue("FAIL") FailurePolicy webhookFailurePolicy,
    @NotNull @DurationMin(seconds = 1) @DurationMax(seconds = 30) @DefaultValue("10s")
        Duration webhookTimeout,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("75s") Duration webhookRulesSilenceMax,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("75s") Duration webhookIndexSilenceMax,
    @NotNull @DurationMin(seconds = 70) @DefaultValue("75s") Duration silenceMax,
    @Min(1) @Max(64) @DefaultValue("4") int workers,
    @NotNull @DefaultValue("30s") Duration requestTimeout,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("10m") Duration resyncPeriod,
    @DefaultValue("true") boolean endpointAuth,
    @DefaultValue("false") boolean leaderElection,
    @NotBlank @DefaultValue("dependency-system") String leaseNamespace) {
  /** Who makes the webhook's certificate. */
  public enum WebhookCa {
    /** Somebody else, such as cert-manager. */
    FILE,
    /** The controller. */
    SELF_MANAGED
  }
}
