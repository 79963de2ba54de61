package dev.mooring.depwebhook.certificate;

import dev.mooring.model.dependency.WebhookContract;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.time.Scheduler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows Secret {@value #NAME}, in which the dependency controller keeps the webhook's certificate
 * where it is the authority, and shows what stands there. The Secret is read by name, periodically:
 * a watch would need the permission to list Secrets. A certificate that was served once stays, also
 * if the Secret is deleted. Thread-safe.
 */
public final class SecretCertificate implements CertificateSource {
  public static final String NAME = WebhookContract.SERVING_SECRET;
  private static final Logger LOG = LoggerFactory.getLogger(SecretCertificate.class);
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  private final KubeReader workspace;
  private final String namespace;
  private final CertificateTarget display;
  private final Supplier<Duration> period;
  private final Scheduler scheduler;
  private String shownVersion = "";
  private String problem = "";
  private volatile CertificateState state;
  private volatile Scheduler.Scheduled looks = () -> {};

  SecretCertificate(
      KubeReader workspace,
      String namespace,
      CertificateTarget display,
      Supplier<Duration> period,
      Scheduler scheduler) {
    this.workspace = workspace;
    this.namespace = namespace;
    this.display = display;
    this.period = period;
    this.scheduler = scheduler;
    this.state = new CertificateState.Pending("it has not been read yet");
  }

  /**
   * Looks once.
   *
   * @param workspace of the APIExport
   * @param period in effect, from one look to the next, once it is followed
   */
  public static SecretCertificate start(
      KubeReader workspace,
      String namespace,
      CertificateTarget display,
      Supplier<Duration> period,
      Scheduler scheduler) {
    var certificate = new SecretCertificate(workspace, namespace, display, period, scheduler);
    certificate.look();
    return certificate;
  }

  @Override
  public void follow() {
    looks = scheduler.every(period, "certificate", this::look);
  }

  @Override
  public CertificateState state() {
    return state;
  }

  /** Reads the Secret, and shows what is new in it. */
  synchronized void look() {
    try {
      Optional<KubeObject> secret = workspace.find(SECRETS, namespace, NAME);
      if (secret.isEmpty()) {
        missed(
            "is not there: the dependency controller makes it if its webhook-ca is SELF_MANAGED and"
                + " its lease-namespace is this one");
      } else if (!secret.get().resourceVersion().equals(shownVersion)) {
        show(secret.get());
      } else {
        problem = "";
      }
    } catch (KubeFailure failure) {
      missed(
          "cannot be read: "
              + failure.getMessage()
              + (failure.kind() == KubeFailure.Kind.FORBIDDEN
                  ? "; let the webhook's user get it, as rbac-dependency-workspace.yaml does"
                  : ""));
    } catch (RuntimeException unexpected) {
      // The message may repeat the key.
      missed("could not be shown: " + unexpected.getClass().getSimpleName());
      LOG.debug("Showing a certificate failed at", unexpected);
    }
  }

  @Override
  public void close() {
    looks.cancel();
  }

  private void show(KubeObject secret) {
    String certificate = decoded(secret, "tls.crt");
    String key = decoded(secret, "tls.key");
    if (certificate.isEmpty() || key.isEmpty()) {
      missed(
          "has no tls.crt or no tls.key in Base64; delete it, and the controller makes it again");
      return;
    }
    try {
      state = new CertificateState.Served(display.show(certificate, key));
    } catch (IllegalArgumentException unusable) {
      missed(unusable.getMessage() + "; delete it, and the controller makes it again");
      return;
    }
    shownVersion = secret.resourceVersion();
    problem = "";
    LOG.info("Shows the certificate of {} in version {}: {}", NAME, shownVersion, state);
  }

  private void missed(String what) {
    String reason = "Secret " + NAME + " in namespace " + namespace + " " + what;
    if (!reason.equals(problem)) {
      problem = reason;
      LOG.warn("{}; in the workspace of the APIExport of DependencyRules", reason);
    }
    switch (state) {
      case CertificateState.Pending _ -> state = new CertificateState.Pending(reason);
      case CertificateState.Served _, CertificateState.Mounted _ -> {}
    }
  }

  private static String decoded(KubeObject secret, String field) {
    try {
      return new String(
          Base64.getDecoder().decode(Trees.textOrEmpty(secret.map("data").get(field))),
          StandardCharsets.US_ASCII);
    } catch (IllegalArgumentException notBase64) {
      return "";
    }
  }
}
