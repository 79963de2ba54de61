package dev.mooring.depcontroller.config;

import dev.mooring.depcontroller.ca.CertificateKeeper;
import dev.mooring.depcontroller.ca.decide.RotationPace;
import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.leadership.Leadership;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.SystemTime;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;

/** The installation is its own certificate authority, whose Secrets are beside the APIExport. */
final class SelfManagedCa implements CaSource {
  private final CertificateKeeper keeper;
  private final AtomicReference<DependencyController> controller = new AtomicReference<>();

  /**
   * @param name that the webhook is reached by
   */
  SelfManagedCa(
      KubeConnection kcp, ControllerProperties properties, String name, Leadership leadership) {
    this.keeper =
        new CertificateKeeper(
            kcp.client(),
            properties.leaseNamespace(),
            new TreeSet<>(Set.of(name)),
            new RotationPace(properties.caSpread(), properties.caReload()),
            SystemTime.clock(),
            Ids.random(),
            leadership::holds,
            this::isEverywhere);
    keeper.look();
  }

  /** Whose configurations have to have a new authority before anything shows its signature. */
  void spreadBy(DependencyController installing) {
    controller.set(installing);
  }

  @Override
  public String base64() {
    return keeper.base64();
  }

  @Override
  public Optional<X509Certificate> authority() {
    return keeper.authority();
  }

  @Override
  public Optional<X509Certificate> serving() {
    return keeper.serving();
  }

  @Override
  public void look() {
    keeper.look();
  }

  private boolean isEverywhere(String bundle) {
    DependencyController installing = controller.get();
    return installing != null && installing.everyConfigurationHas(bundle);
  }
}
