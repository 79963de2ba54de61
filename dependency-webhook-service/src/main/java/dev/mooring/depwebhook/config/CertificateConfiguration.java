package dev.mooring.depwebhook.config;

import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.spring.CertificateWatch;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Wires the webhook's certificates. */
@Configuration(proxyBeanMethods = false)
class CertificateConfiguration {
  @Bean
  MountedCertificate mountedCertificate(DefaultSslBundleRegistry bundles) {
    return new MountedCertificate(bundles);
  }

  @Bean
  CertificateWatch servingCertificate(MountedCertificate certificate) {
    return new CertificateWatch("webhook-serving", certificate::served);
  }

  @Bean
  CertificateWatch kcpClientCertificate(KubeConnection kcp) {
    return new CertificateWatch("kcp-client", kcp::clientCertificate);
  }

  @EventListener
  void updatesCertificate(ApplicationStartedEvent started) {
    started.getApplicationContext().getBean(MountedCertificate.class).update();
  }
}
