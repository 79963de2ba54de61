package dev.mooring.depwebhook.config;

import dev.mooring.runtime.time.SystemTime;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Lets the web server start before the controller has made a certificate: with {@code certificate:
 * SELF_MANAGED} it serves an untrusted temporary certificate first. Its key never leaves this
 * process.
 */
final class TemporaryCertificate implements EnvironmentPostProcessor {
  /** Longer than the controller ever takes; no client trusts it. */
  private static final Duration LIFE = Duration.ofDays(30);

  private static final String BUNDLE = "spring.ssl.bundle.pem." + SslBundleUpdater.BUNDLE + ".";

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    WebhookProperties.Certificate source =
        Binder.get(environment)
            .bind("mooring.dependency-webhook.certificate", WebhookProperties.Certificate.class)
            .orElse(WebhookProperties.Certificate.FILE);
    switch (source) {
      case FILE -> {}
      case SELF_MANAGED ->
          environment
              .getPropertySources()
              .addFirst(new MapPropertySource("self-managed-start", placeholder()));
    }
  }

  private static Map<String, Object> placeholder() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      Instant now = SystemTime.clock().instant();
      var name = new X500Principal("CN=dependency-webhook without a certificate yet");
      byte[] certificate =
          new JcaX509v3CertificateBuilder(
                  name,
                  BigInteger.ONE,
                  Date.from(now),
                  Date.from(now.plus(LIFE)),
                  name,
                  keys.getPublic())
              .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
              .getEncoded();
      return Map.of(
          BUNDLE + "reload-on-update", "false",
          BUNDLE + "keystore.certificate", pem("CERTIFICATE", certificate),
          BUNDLE + "keystore.private-key", pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new IllegalStateException("no certificate can be made to start with", e);
    }
  }

  private static String pem(String label, byte[] der) {
    String base64 =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, base64);
  }
}
