package dev.mooring.depwebhook.config;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
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
 * @param tlsCertDir directory with tls.crt and tls.key; read again when they change
 * @param requestTimeout of one request to kcp; shorter than the timeout of the webhook
 *     configurations, so that the refusal says what was slow
 * @param reviewSizeMax largest review that is read
 * @param endpointAuth whether the status, resync and blockers endpoints ask for a bearer token that
 *     kcp knows and permits
 */
@Validated
@ConfigurationProperties("mooring.dependency-webhook")
public record WebhookProperties(
    @DefaultValue("") String kubeconfig,
    @NotBlank @DefaultValue("dependencies.opendefense.cloud") String apiExportName,
    @NotBlank @DefaultValue("/etc/webhook-tls") String tlsCertDir,
    @NotNull @DefaultValue("8s") Duration requestTimeout,
    @NotNull @DefaultValue("8MB") DataSize reviewSizeMax,
    @DefaultValue("true") boolean endpointAuth) {}
