package dev.mooring.depwebhook.config;

import static java.util.Objects.requireNonNull;

import dev.mooring.depwebhook.certificate.CertificateSource;
import dev.mooring.depwebhook.certificate.CertificateState;
import dev.mooring.depwebhook.certificate.SecretCertificate;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.spring.CertificateWatch;
import dev.mooring.runtime.time.SystemTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Wires where the certificate comes from. */
@Configuration(proxyBeanMethods = false)
class CertificateConfiguration {
  @Bean(destroyMethod = "close")
  CertificateSource certificateSource(
      KubeConnection kcp,
      WebhookProperties properties,
      AtomicReference<WebhookProperties> inEffect,
      DefaultSslBundleRegistry bundles) {
    return switch (properties.certificate()) {
      case FILE -> new MountedCertificate(bundles);
      case SELF_MANAGED ->
          SecretCertificate.start(
              kcp.client(),
              properties.certificateNamespace(),
              new SslBundleUpdater(bundles),
              () -> requireNonNull(inEffect.get()).certificateCheckPeriod(),
              SystemTime.scheduler());
    };
  }

  @Bean
  CertificateWatch servingCertificate(CertificateSource source, DefaultSslBundleRegistry bundles) {
    var display = new SslBundleUpdater(bundles);
    return new CertificateWatch(
        "webhook-serving",
        () ->
            switch (source.state()) {
              case CertificateState.Mounted(), CertificateState.Served(_) -> display.shown();
              // What is shown meanwhile is for no API server.
              case CertificateState.Pending(_) -> Optional.empty();
            });
  }

  @Bean
  CertificateWatch kcpClientCertificate(KubeConnection kcp) {
    return new CertificateWatch("kcp-client", kcp::clientCertificate);
  }

  @EventListener
  void follows(ApplicationStartedEvent started) {
    started.getApplicationContext().getBean(CertificateSource.class).follow();
  }
}
