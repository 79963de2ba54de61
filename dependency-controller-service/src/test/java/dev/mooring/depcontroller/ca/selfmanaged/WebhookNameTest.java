package dev.mooring.depcontroller.ca.selfmanaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookNameTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "https://hook.example.org:9443/validate, hook.example.org",
    "https://hook/validate, hook",
    "https://10.0.0.7:9443/validate, 10.0.0.7",
    "https://[::1]:9443/validate, 0:0:0:0:0:0:0:1",
    "https://[2001:db8::7]/validate, 2001:db8:0:0:0:0:0:7",
  })
  void isTheHostWithoutWhatUrlsAdd(String url, String name) {
    assertThat(WebhookName.of(url)).isEqualTo(name);
  }

  /** Else the certificate would be made anew without end. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://hook.example.org/validate",
        "https://10.0.0.7/validate",
        "https://[::1]/validate",
        "https://[2001:db8::7]/validate"
      })
  void isReadBackFromACertificateAsItIs(String url) {
    String name = WebhookName.of(url);
    KeyedCertificate authority = Issuer.ca(NOON, "0123456789abcdef");

    KeyedCertificate serving = Issuer.serving(authority, List.of(name), NOON, "fedcba9876543210");

    assertThat(serving.issued().names()).containsExactly(name);
  }

  @Test
  void refusesWhatNoCertificateCanBeMadeFor() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WebhookName.of("https://dependency_webhook:9443/validate"))
        .withMessageContaining("neither an address nor a DNS name")
        .withMessageContaining("set webhook-ca to FILE");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WebhookName.of("https://[fe80::1%25eth0]:9443/validate"))
        .withMessageContaining("without one");
  }
}
