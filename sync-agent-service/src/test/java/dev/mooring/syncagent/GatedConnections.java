package dev.mooring.syncagent;

import dev.mooring.runtime.testing.Pem;
import dev.mooring.sandbox.kube.Sandbox;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * One agent's connections to both clusters, which a test can cut: every request passes a gate of
 * its own, those to kcp's virtual workspaces too.
 */
final class GatedConnections implements AutoCloseable {
  private final Gate service;
  private final Gate kcp;
  private final TlsProxy proxy;
  private final Path serviceKubeconfig;
  private final Path kcpKubeconfig;

  private GatedConnections(
      Gate service, Gate kcp, TlsProxy proxy, Path serviceKubeconfig, Path kcpKubeconfig) {
    this.service = service;
    this.kcp = kcp;
    this.proxy = proxy;
    this.serviceKubeconfig = serviceKubeconfig;
    this.kcpKubeconfig = kcpKubeconfig;
  }

  /** By which the agent comes as {@link TwoClusters#ROBOT_USER}. */
  static GatedConnections to(TwoClusters clusters) throws IOException {
    return to(clusters, new TlsProxy.Rules() {});
  }

  /**
   * @param rules of the proxy in front of kcp
   */
  static GatedConnections to(TwoClusters clusters, TlsProxy.Rules rules) throws IOException {
    String id = UUID.randomUUID().toString();
    ServerIdentity identity = identity(clusters.directory().resolve(id));
    var service = new Gate(clusters.serviceServer().url().getPort());
    // Leads to the proxy, which has to know the gate's port.
    var kcp = new Gate(0);
    var proxy =
        new TlsProxy(
            clusters.kcpServer().url(), authority(clusters.kcpServer()), url(kcp), identity, rules);
    kcp.lead(proxy.port());
    return new GatedConnections(
        service,
        kcp,
        proxy,
        Files.writeString(
            clusters.directory().resolve(id + "-service.kubeconfig"),
            robot(Files.readString(clusters.serviceKubeconfig()))
                .replace(clusters.serviceServer().url().toString(), url(service).toString())),
        Files.writeString(
            clusters.directory().resolve(id + "-kcp.kubeconfig"),
            trusting(
                identity,
                robot(Files.readString(clusters.kcpKubeconfig()))
                    .replace(clusters.kcpServer().url().toString(), url(kcp).toString()))));
  }

  static URI url(Gate gate) {
    return URI.create("https://127.0.0.1:" + gate.port());
  }

  private static String robot(String kubeconfig) {
    return kubeconfig.replaceAll("token: .*", "token: " + TwoClusters.ROBOT_TOKEN);
  }

  /** Of a server on this machine, signed by an authority of its own. */
  static ServerIdentity identity(Path directory) {
    return CertificateAuthority.in(directory, Instant.now())
        .serverIdentity(Set.of(), Instant.now());
  }

  /** The kubeconfig, trusting the authority of the given server instead. */
  static String trusting(ServerIdentity identity, String kubeconfig) {
    return trusting(kubeconfig, identity.authority());
  }

  static String trusting(String kubeconfig, X509Certificate... authorities) {
    return kubeconfig.replaceAll(
        "certificate-authority-data: .*", "certificate-authority-data: " + Pem.base64(authorities));
  }

  /** That signed the certificate of a sandbox. */
  static X509Certificate authority(Sandbox sandbox) {
    Path file = sandbox.kubeconfigFile().resolveSibling("ca.crt");
    try (var in = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (CertificateException e) {
      throw new IllegalStateException(e);
    }
  }

  Path serviceKubeconfig() {
    return serviceKubeconfig;
  }

  Path kcpKubeconfig() {
    return kcpKubeconfig;
  }

  Gate service() {
    return service;
  }

  Gate kcp() {
    return kcp;
  }

  /** Both, as where the agent's machine is cut off, or its process has died. */
  void cut() {
    service.shut();
    kcp.shut();
  }

  void mend() {
    service.open();
    kcp.open();
  }

  @Override
  public void close() throws IOException {
    service.close();
    kcp.close();
    proxy.close();
  }
}
