package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.mooring.depcontroller.ca.selfmanaged.SelfManagedCa;
import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationTimings;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.Ids;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller's certificates and the configurations that it writes, together on the sandbox. */
class SelfManagedRotationIT {
  private static final String NAMESPACE = "dependency-system";
  private static final String URL = "https://hook.example.com:9443/validate";

  @TempDir private Path directory;

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final AtomicReference<DependencyController> controller = new AtomicReference<>();

  /** What configurations are written with; the test says when that is what the ca has. */
  private final AtomicReference<String> handedOn = new AtomicReference<>("");

  private TestWorkspaces workspaces;
  private ControllerEnvironment env;
  private SelfManagedCa ca;

  @Test
  void newCaIsInEveryConfigurationForAMinuteBeforeItSigns() throws CertificateException {
    try (TestWorkspaces made = TestWorkspaces.onSandbox(directory)) {
      workspaces = made;
      env = ControllerEnvironment.prepare(workspaces);
      env.writeRule("vpcs");
      try (KubeConnection kcp = workspaces.connect(env.dependencies());
          DependencyController started = controller(kcp)) {
        controller.set(started);
        rotate();
      }
    }
  }

  private void rotate() throws CertificateException {
    ca.refresh();
    correct();
    await().until(() -> env.guardsOnly("vpcs"));
    awaitEverywhere();
    String first = issuer();

    pass(Duration.ofDays(250));
    assertThat(controller.get().everyConfigurationHas(ca.base64())).isFalse();
    pass(Duration.ofHours(1));
    assertThat(issuer()).isEqualTo(first);

    correct();
    awaitEverywhere();
    pass(Duration.ofSeconds(1));
    pass(Duration.ofSeconds(59));
    assertThat(issuer()).isEqualTo(first);

    pass(Duration.ofSeconds(1));
    assertThat(issuer()).isNotEqualTo(first);
    X509Certificate shown = serving();
    assertThat(installedBundle())
        .hasSize(2)
        .anySatisfy(authority ->
            assertThatCode(() -> shown.verify(authority.getPublicKey()))
                .doesNotThrowAnyException());
  }

  private DependencyController controller(KubeConnection kcp) {
    ca =
        new SelfManagedCa(
            kcp.client(),
            NAMESPACE,
            new TreeSet<>(List.of("hook.example.com")),
            new RotationTimings(Duration.ofMinutes(1), Duration.ofMinutes(10)),
            now::get,
            Ids.random(),
            () -> true);
    ca.observeRollout(bundle -> controller.get().everyConfigurationHas(bundle));
    return ControllerEnvironment.controller(
        kcp,
        () -> new GuardSettings(URL, handedOn.get(), FailurePolicy.FAIL, Duration.ofSeconds(10)),
        () -> true);
  }

  private void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
    ca.refresh();
  }

  private void correct() {
    handedOn.set(ca.base64());
    controller.get().resync();
  }

  private void awaitEverywhere() {
    await().until(() -> controller.get().everyConfigurationHas(ca.base64()));
  }

  private String issuer() throws CertificateException {
    return serving().getIssuerX500Principal().getName();
  }

  private X509Certificate serving() throws CertificateException {
    Object pem =
        workspaces
            .client(env.dependencies())
            .find(ResourceType.core("secrets"), NAMESPACE, "dependency-webhook-tls")
            .orElseThrow()
            .at("data", "tls.crt");
    return (X509Certificate) certificates(pem).iterator().next();
  }

  /** What API servers check the webhook's certificate with. */
  private Collection<? extends Certificate> installedBundle() throws CertificateException {
    Object entry = env.configuration().orElseThrow().list("webhooks").getFirst();
    return certificates(Trees.at(entry, "clientConfig", "caBundle"));
  }

  private static Collection<? extends Certificate> certificates(Object base64)
      throws CertificateException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(
            new ByteArrayInputStream(Base64.getDecoder().decode(Trees.textOrEmpty(base64))));
  }
}
