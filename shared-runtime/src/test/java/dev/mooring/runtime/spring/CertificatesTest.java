package dev.mooring.runtime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.Trees;
import dev.mooring.runtime.testing.ClientCertificate;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** Health and metrics of a certificate that is valid for two days. */
class CertificatesTest {
  private static X509Certificate certificate;

  @BeforeAll
  static void makes(@TempDir Path directory) throws Exception {
    certificate = ClientCertificate.make(directory, "client", "EC").certificate();
  }

  @Test
  void tellUntilWhenItIsValid() {
    assertThat(health(Duration.ofHours(10)).getDetails())
        .isEqualTo(Map.of("kcp-client", Map.of("validUntil", end().toString())));
    assertThat(seconds(Duration.ofHours(10))).isEqualTo(36_000.0);
  }

  @Test
  void warnInTheLastFifthOfItsLifeAndStayUp() {
    Health health = health(Duration.ofHours(9));

    assertThat(health.getStatus()).isEqualTo(Status.UP);
    assertThat(warning(health))
        .isEqualTo("expires at " + end() + " and was not renewed yet; renew it");
  }

  @Test
  void stayUpWhenItHasExpired() {
    Health health = health(Duration.ofHours(-1));

    assertThat(health.getStatus()).isEqualTo(Status.UP);
    assertThat(warning(health)).isEqualTo("expired at " + end() + "; renew it");
    assertThat(seconds(Duration.ofHours(-1))).isEqualTo(-3_600.0);
  }

  @Test
  void sayNothingOfWhatIsNotThere() {
    var none = List.of(new CertificateWatch("kcp-client", Optional::empty));

    assertThat(new Certificates(none, CertificatesTest::end).health().getDetails()).isEmpty();
    var registry = new SimpleMeterRegistry();
    new Certificates(none, CertificatesTest::end).bindTo(registry);
    assertThat(registry.get("mooring.certificate.expiry.seconds").gauge().value()).isNaN();
  }

  private static Health health(Duration before) {
    return new Certificates(watches(), () -> end().minus(before)).health();
  }

  private static Object warning(Health health) {
    return Trees.at(health.getDetails(), "kcp-client", "warning");
  }

  private static double seconds(Duration before) {
    var registry = new SimpleMeterRegistry();
    new Certificates(watches(), () -> end().minus(before)).bindTo(registry);
    return registry
        .get("mooring.certificate.expiry.seconds")
        .tag("certificate", "kcp-client")
        .gauge()
        .value();
  }

  private static List<CertificateWatch> watches() {
    return List.of(new CertificateWatch("kcp-client", () -> Optional.of(certificate)));
  }

  private static Instant end() {
    return certificate.getNotAfter().toInstant();
  }
}
