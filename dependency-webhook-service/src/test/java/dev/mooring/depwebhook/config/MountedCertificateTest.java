package dev.mooring.depwebhook.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

class MountedCertificateTest {
  /** A server that is told so while it begins to listen may not have heard it. */
  @Test
  void showsAgainWhatReplacedItWhileTheServerStarted() {
    SslBundle first = SslBundle.of(SslStoreBundle.NONE);
    SslBundle second = SslBundle.of(SslStoreBundle.of(null, "renewed", null));
    var bundles = new DefaultSslBundleRegistry(MountedCertificate.BUNDLE, first);
    bundles.updateBundle(MountedCertificate.BUNDLE, second);
    List<SslBundle> shown = new ArrayList<>();
    bundles.addBundleUpdateHandler(MountedCertificate.BUNDLE, shown::add);

    new MountedCertificate(bundles).update();

    assertThat(shown).containsExactly(second);
  }
}
