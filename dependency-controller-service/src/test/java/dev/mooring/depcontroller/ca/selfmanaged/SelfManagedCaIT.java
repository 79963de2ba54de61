package dev.mooring.depcontroller.ca.selfmanaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationTimings;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.Ids;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates in Secrets of the sandbox, over years. */
class SelfManagedCaIT {
  private static final String NAMESPACE = "dependency-system";
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static TestWorkspaces workspaces;

  private WorkspacePath workspace;
  private volatile Instant now = START;
  private volatile boolean everywhere = true;
  private SelfManagedCa ca;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    workspaces = TestWorkspaces.onSandbox(directory);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
  }

  @BeforeEach
  void enters() {
    workspace = workspaces.create("dc-ca");
    workspaces.create(
        workspace,
        KubeObject.of(
            Map.of(
                "apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", NAMESPACE))));
    ca = ca(true);
  }

  @Test
  void makesAnAuthorityAndACertificateThatItsBundleVouchesFor() throws Exception {
    ca.refresh();

    X509Certificate serving = serving();
    assertThat(serving.getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(List.of(2, "hook.example.com"), List.of(7, "127.0.0.1"));
    assertThat(bundle()).hasSize(1);
    assertTrusted();
    assertThat(secret(CertificateStore.SERVING_SECRET).map("data"))
        .containsKeys("tls.crt", "tls.key");
  }

  @Test
  void readsWhatIsThereAfterARestartAndWritesNothing() {
    ca.refresh();
    String before = secret(CertificateStore.CA_SECRET).resourceVersion();
    String served = secret(CertificateStore.SERVING_SECRET).resourceVersion();

    SelfManagedCa again = ca(true);
    again.refresh();

    assertThat(again.base64()).isEqualTo(ca.base64());
    assertThat(secret(CertificateStore.CA_SECRET).resourceVersion()).isEqualTo(before);
    assertThat(secret(CertificateStore.SERVING_SECRET).resourceVersion()).isEqualTo(served);
  }

  @Test
  void aFollowerReadsAndWritesNothing() {
    SelfManagedCa follower = ca(false);
    follower.refresh();
    assertThatIllegalStateException().isThrownBy(follower::base64);

    ca.refresh();
    follower.refresh();

    assertThat(follower.base64()).isEqualTo(ca.base64());
  }

  @Test
  void replacesTheAuthorityWithTheBundleFirstAndTheCertificateSecond() throws Exception {
    ca.refresh();
    String first = serving().getIssuerX500Principal().getName();
    now = START.plus(Duration.ofDays(250));
    everywhere = false;

    assertThat(ca.refresh()).isTrue();
    assertThat(bundle()).hasSize(2);
    pass(Duration.ofHours(1));
    assertThat(serving().getIssuerX500Principal().getName()).isEqualTo(first);
    assertTrusted();

    everywhere = true;
    ca.refresh();
    pass(Duration.ofSeconds(59));
    assertThat(serving().getIssuerX500Principal().getName()).isEqualTo(first);

    pass(Duration.ofSeconds(1));
    assertThat(serving().getIssuerX500Principal().getName()).isNotEqualTo(first);
    assertThat(bundle()).hasSize(2);
    assertTrusted();

    pass(Duration.ofSeconds(599));
    assertThat(bundle()).hasSize(2);
    pass(Duration.ofSeconds(1));
    assertThat(bundle()).hasSize(1);
    assertTrusted();
  }

  @Test
  void showsNothingOfANewAuthorityInTheMinuteAfterItWasMadeEither() throws Exception {
    ca.refresh();
    String first = serving().getIssuerX500Principal().getName();
    now = START.plus(Duration.ofDays(250));

    ca.refresh();
    pass(Duration.ofSeconds(59));

    assertThat(bundle()).hasSize(2);
    assertThat(serving().getIssuerX500Principal().getName()).isEqualTo(first);
  }

  @Test
  void replacesACaWhoseKeyWasDeleted() throws Exception {
    ca.refresh();
    String first = serving().getIssuerX500Principal().getName();
    remove(CertificateStore.CA_SECRET, "ca.key");

    pass(Duration.ofSeconds(10));
    assertThat(bundle()).hasSize(2);
    assertThat(serving().getIssuerX500Principal().getName()).isEqualTo(first);
    pass(Duration.ofMinutes(1));

    assertThat(serving().getIssuerX500Principal().getName()).isNotEqualTo(first);
    assertTrusted();
    assertThat(secret(CertificateStore.CA_SECRET).map("data")).containsKeys("ca.crt", "ca.key");
  }

  @Test
  void goesOnOnceWhatCannotBeReadWasPutBack() {
    ca.refresh();
    String known = ca.base64();
    KubeObject whole = secret(CertificateStore.CA_SECRET);
    put("ca.crt", Base64.getEncoder().encodeToString("nonsense".getBytes(StandardCharsets.UTF_8)));

    assertThatCode(ca::refresh).doesNotThrowAnyException();
    assertThat(ca.base64()).isEqualTo(known);

    put("ca.crt", Trees.textOrEmpty(whole.map("data").get("ca.crt")));
    pass(Duration.ofDays(250));
    assertThat(ca.base64()).isNotEqualTo(known);
  }

  private void put(String field, String value) {
    workspaces
        .client(workspace)
        .patch(
            ResourceType.core("secrets"),
            NAMESPACE,
            CertificateStore.CA_SECRET,
            Map.of("data", Map.of(field, value)));
  }

  private void remove(String name, String field) {
    KubeObject secret = secret(name);
    workspaces
        .client(workspace)
        .update(ResourceType.core("secrets"), secret.without("data", field));
  }

  private void pass(Duration time) {
    now = now.plus(time);
    ca.refresh();
  }

  private SelfManagedCa ca(boolean leads) {
    var managed =
        new SelfManagedCa(
            workspaces.client(workspace),
            NAMESPACE,
            new TreeSet<>(List.of("hook.example.com", "127.0.0.1")),
            new RotationTimings(Duration.ofMinutes(1), Duration.ofMinutes(10)),
            () -> now,
            Ids.random(),
            () -> leads);
    managed.observeRollout(_ -> everywhere);
    return managed;
  }

  private void assertTrusted() throws Exception {
    X509Certificate serving = serving();
    assertThat(bundle())
        .anySatisfy(authority ->
            assertThatCode(() -> serving.verify(authority.getPublicKey()))
                .doesNotThrowAnyException());
  }

  private X509Certificate serving() throws Exception {
    String pem =
        Trees.textOrEmpty(secret(CertificateStore.SERVING_SECRET).map("data").get("tls.crt"));
    return (X509Certificate) certificates(pem).iterator().next();
  }

  private Collection<? extends Certificate> bundle() throws Exception {
    return certificates(ca.base64());
  }

  private static Collection<? extends Certificate> certificates(String base64) throws Exception {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(Base64.getDecoder().decode(base64)));
  }

  private KubeObject secret(String name) {
    return workspaces
        .client(workspace)
        .find(ResourceType.core("secrets"), NAMESPACE, name)
        .orElseThrow();
  }
}
