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
 * The properties of the dependency webhook; docs/reference/properties.md is generated from them.
 *
 * @param kubeconfig Kubeconfig whose current context points at the workspace of the APIExport.
 *     Default is the pod's service account.
 * @param apiExportName Name of the APIExport through which the webhook reads rules.
 * @param endpointHostOverride Hosts of the endpoints of the APIExport's endpoint slices, each as
 *     host[:port]=host[:port], or host[:port] for every endpoint. Default is the hosts that kcp
 *     publishes.
 * @param tlsCertDir Directory with tls.crt and tls.key; read again when they change.
 * @param certificateNamespace Namespace of Secret dependency-webhook-url-keys; the controller's
 *     lease-namespace.
 * @param requestTimeout Timeout of one request to kcp; shorter than the controller's
 *     webhook-timeout, so that a refusal can name the slow request.
 * @param drain Time for which the webhook still answers reviews after SIGTERM. It asks for each
 *     connection to be closed. Behind a load balancer, longer than its health checks take.
 * @param reviewSizeMax Size of the largest review that is evaluated.
 * @param endpointAuth Whether the status, resync and blockers endpoints require a bearer token that
 *     kcp authenticates and authorizes.
 * @param console Whether the management port serves the console, a read-only page for browsers that
 *     asks for the same token.
 * @param rulesMaxStaleness Time without an event or bookmark of the rules of a shard after which
 *     the replica is not ready and denies protected deletions. Ten seconds earlier it relists the
 *     rules.
 * @param index Indexes of dependents.
 * @param eligibilityAgeMax Age up to which an indexed rule's eligibility may be reused to deny a
 *     deletion, a minute at most. 0 reads it for each refusal. That a rule is not eligible is never
 *     reused.
 * @param raceRegisterNamespace Namespace, in the workspace of the APIExport, of the Leases of the
 *     race register. Used for rules with {@code raceProtection: strict}.
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
    @NotBlank @DefaultValue("dependency-system") String certificateNamespace,
    @NotNull @DefaultValue("8s") Duration requestTimeout,
    @NotNull @DurationMin @DefaultValue("2s") Duration drain,
    @NotNull @DefaultValue("8MB") DataSize reviewSizeMax,
    @DefaultValue("true") boolean endpointAuth,
    @DefaultValue("true") boolean console,
    @NotNull @DurationMin(seconds = 70) @DefaultValue("75s") Duration rulesMaxStaleness,
    @NotNull @DefaultValue @Valid Index index,
    @NotNull @DurationMin @DurationMax(minutes = 1) @DefaultValue("1s") Duration eligibilityAgeMax,
    @NotBlank @DefaultValue("dependency-races") String raceRegisterNamespace) {
  /**
   * Indexes of dependents, for rules with {@code consistency: indexed}.
   *
   * @param maxStaleness Age of the last proof of completeness after which an index is not used.
   * @param idleMax Time without a lookup after which an index is closed.
   * @param indexesMax Number of open indexes, one for each consumer's workspace and dependent type.
   *     0 for none.
   * @param objectsMax Objects of one index. Larger types are listed.
   * @param totalObjectsMax Objects of all indexes together. Types that exceed it are listed. An
   *     object of which more than 400 characters are held counts once more for each 400.
   */
  public record Index(
      @NotNull @DefaultValue("75s") Duration maxStaleness,
      @NotNull @DefaultValue("10m") Duration idleMax,
      @Min(0) @DefaultValue("1000") int indexesMax,
      @Min(1) @DefaultValue("25000") int objectsMax,
      @Min(1) @DefaultValue("50000") int totalObjectsMax) {}
}
