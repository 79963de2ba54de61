package dev.mooring.depwebhook.config;

import dev.mooring.runtime.export.EndpointOverrides;
import jakarta.validation.Valid;
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
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * How the dependency webhook is configured.
 *
 * @param kubeconfig file whose current context points at the workspace of the APIExport; empty for
 *     the pod's service account
 * @param apiExportName the APIExport through which rules are read
 * @param endpointHostOverride hosts by which the endpoints of the APIExport's endpoint slices are
 *     reached, each as host[:port]=host[:port], or host[:port] for every endpoint; empty for those
 *     that kcp publishes
 * @param tlsCertDir directory with tls.crt and tls.key; read again when they change
 * @param certificate whether these files are shown, or what the dependency controller keeps in
 *     Secret dependency-webhook-tls in the workspace of the APIExport, where its webhook-ca is
 *     SELF_MANAGED
 * @param certificateNamespace of that Secret, and of Secret dependency-webhook-url-keys, by which
 *     the webhook knows the URLs of the controller's webhook configurations; the controller's
 *     lease-namespace
 * @param certificateCheckPeriod how often that Secret is read
 * @param requestTimeout of one request to kcp; shorter than the timeout of the webhook
 *     configurations, so that the refusal says what was slow
 * @param drain how long a webhook that is told to stop goes on answering, each time asking for the
 *     connection to be closed, so that no review comes by one that it closes itself
 * @param reviewSizeMax largest review that is read
 * @param endpointAuth whether the status, resync and blockers endpoints ask for a bearer token that
 *     kcp knows and permits
 * @param rulesSilenceMax after which protected deletions are refused, and the replica is not ready,
 *     while a shard is not heard; ten seconds before it is asked for all rules
 * @param index of dependents
 * @param standingAgeMax how long ago it may have been read that a rule with {@code consistency:
 *     indexed} counts (its author and the target's provider export what it is about, the consumer
 *     has bound it, the provider agrees) where a deletion is refused for it; 0 to read it for each
 *     refusal, as for strict rules. That a rule does not count is read each time
 * @param raceRegisterNamespace of the Leases, in the workspace of the APIExport, by which new
 *     references and deletions know of each other; used for rules with {@code raceProtection}
 */
@Validated
@ConfigurationProperties("mooring.dependency-webhook")
public record WebhookProperties(
    @DefaultValue("") String kubeconfig,
    @NotBlank @DefaultValue("dependencies.opendefense.cloud") String apiExportName,
    @DefaultValue
        List<
                @Pattern(
                    regexp = EndpointOverrides.FORM,
                    message = "must be host[:port]=host[:port], or host[:port]")
                String>
            endpointHostOverride,
    @NotBlank @DefaultValue("/etc/webhook-tls") String tlsCertDir,
    @NotNull @DefaultValue("FILE") Certificate certificate,
    @NotBlank @DefaultValue("dependency-system") String certificateNamespace,
    @NotNull @DurationMin(seconds = 1) @DefaultValue("10s") Duration certificateCheckPeriod,
    @NotNull @DefaultValue("8s") Duration requestTimeout,
    @NotNull @DurationMin @DefaultValue("2s") Duration drain,
    @NotNull @DefaultValue("8MB") DataSize reviewSizeMax,
    @DefaultValue("true") boolean endpointAuth,
    @NotNull @DurationMin(seconds = 70) @DefaultValue("75s") Duration rulesSilenceMax,
    @NotNull @DefaultValue @Valid Index index,
    @NotNull @DurationMin @DurationMax(minutes = 1) @DefaultValue("1s") Duration standingAgeMax,
    @NotBlank @DefaultValue("dependency-system") String raceRegisterNamespace) {
  /** Who looks after the webhook's certificate. */
  public enum Certificate {
    /** Whoever writes the files, such as cert-manager by a mounted Secret. */
    FILE,
    /** The controller. */
    SELF_MANAGED
  }

  /**
   * How indexes of dependents are kept, for rules with {@code consistency: indexed}.
   *
   * @param silenceMax after which an index is no longer believed that was not proved to be complete
   * @param idleMax after which an index that nobody asked is closed
   * @param indexesMax open at a time, one for each consumer's workspace and dependent type; 0 for
   *     none
   * @param objectsMax of one index; larger types are listed
   * @param totalObjectsMax of all indexes together; types that find no room are listed. An object
   *     of which more than 400 characters are held counts once more for each 400
   */
  public record Index(
      @NotNull @DefaultValue("75s") Duration silenceMax,
      @NotNull @DefaultValue("10m") Duration idleMax,
      @Min(0) @DefaultValue("1000") int indexesMax,
      @Min(1) @DefaultValue("25000") int objectsMax,
      @Min(1) @DefaultValue("50000") int totalObjectsMax) {}
}
