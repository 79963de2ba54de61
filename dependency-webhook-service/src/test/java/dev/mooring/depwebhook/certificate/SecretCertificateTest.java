package dev.mooring.depwebhook.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.FakeWorkspace;
import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class SecretCertificateTest {
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final Instant END = Instant.parse("2026-12-01T00:00:00Z");

  private final FakeWorkspace workspace = new FakeWorkspace().serves(SECRETS, Scope.NAMESPACED);
  private final List<String> shown = new CopyOnWriteArrayList<>();
  private final ManualTime time = new ManualTime();
  private final SecretCertificate certificate =
      new SecretCertificate(
          workspace, "dependency-system", this::show, () -> Duration.ofSeconds(10), time);

  @Test
  void saysThatTheSecretIsMissingAndWhoMakesIt() {
    certificate.look();

    assertThat(certificate.state())
        .isEqualTo(
            new CertificateState.Pending(
                "Secret dependency-webhook-tls in namespace dependency-system is not there: the"
                    + " dependency controller makes it if its webhook-ca is SELF_MANAGED and its"
                    + " lease-namespace is this one"));
    assertThat(shown).isEmpty();
  }

  @Test
  void saysWhichRightIsMissing() {
    workspace.failsOnce(KubeFailure.Kind.FORBIDDEN, 403, "GET secrets: 403 not permitted");

    certificate.look();

    assertThat(reason())
        .contains("cannot be read: GET secrets: 403 not permitted")
        .endsWith("let the webhook's user get it, as rbac-dependency-workspace.yaml does");
  }

  @Test
  void showsWhatIsThereOnceForEachVersion() {
    holds("1", "certificate 1", "key 1");
    certificate.look();
    certificate.look();
    holds("2", "certificate 2", "key 2");
    certificate.look();

    assertThat(shown).containsExactly("certificate 1, key 1", "certificate 2, key 2");
    assertThat(certificate.state()).isEqualTo(new CertificateState.Served(END));
  }

  @Test
  void saysThatTheSecretLacksSomething() {
    holds("1", "certificate 1", "");

    certificate.look();

    assertThat(reason()).contains("has no tls.crt or no tls.key");
    assertThat(shown).isEmpty();
  }

  @Test
  void goesOnFromWhatIsNoCertificateToTheNextThatIsOne() {
    holds("1", "garbage", "key 1");
    certificate.look();
    assertThat(reason()).contains("garbage; delete it, and the controller makes it again");

    holds("2", "certificate 2", "key 2");
    certificate.look();

    assertThat(shown).containsExactly("certificate 2, key 2");
  }

  @Test
  void keepsServingItsCertificateWhenTheSecretBreaksOrIsDeleted() {
    holds("1", "certificate 1", "key 1");
    certificate.look();

    workspace.failsOnce(KubeFailure.Kind.UNAVAILABLE, 503, "GET secrets: 503");
    certificate.look();
    workspace.serves(SECRETS, Scope.NAMESPACED);
    certificate.look();
    holds("2", "garbage", "key 2");
    certificate.look();

    assertThat(certificate.state()).isEqualTo(new CertificateState.Served(END));
    assertThat(shown).containsExactly("certificate 1, key 1");
  }

  /** What is shown while the server begins to listen is lost to it. */
  @Test
  void looksOnceUntilItIsFollowed() {
    SecretCertificate started =
        SecretCertificate.start(
            workspace, "dependency-system", this::show, () -> Duration.ofSeconds(10), time);

    assertThat(started.state()).isInstanceOf(CertificateState.Pending.class);
    assertThat(time.pending()).isZero();
    started.follow();
    assertThat(time.pending()).isOne();
    started.close();
  }

  @Test
  void readsTheSecretPeriodicallyAfterSuccessAndFailure() {
    holds("1", "unexpected", "key 1");
    SecretCertificate followed =
        SecretCertificate.start(
            workspace, "dependency-system", this::show, () -> Duration.ofSeconds(10), time);
    assertThat(followed.state())
        .isEqualTo(
            new CertificateState.Pending(
                "Secret dependency-webhook-tls in namespace dependency-system could not be shown:"
                    + " IllegalStateException"));

    followed.follow();
    time.advance(Duration.ofSeconds(10));
    await().until(() -> time.pending() == 1);
    holds("2", "certificate 2", "key 2");
    time.advance(Duration.ofSeconds(10));

    await().untilAsserted(() -> assertThat(shown).containsExactly("certificate 2, key 2"));
    followed.close();
  }

  private Instant show(String pem, String key) {
    if (pem.equals("unexpected")) {
      throw new IllegalStateException(key);
    }
    if (pem.equals("garbage")) {
      throw new IllegalArgumentException("garbage");
    }
    shown.add(pem + ", " + key);
    return END;
  }

  private String reason() {
    return ((CertificateState.Pending) certificate.state()).reason();
  }

  private void holds(String version, String pem, String key) {
    workspace.serves(
        SECRETS,
        Scope.NAMESPACED,
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of(
                    "name",
                    SecretCertificate.NAME,
                    "namespace",
                    "dependency-system",
                    "resourceVersion",
                    version),
                "data",
                Map.of("tls.crt", encoded(pem), "tls.key", encoded(key)))));
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
