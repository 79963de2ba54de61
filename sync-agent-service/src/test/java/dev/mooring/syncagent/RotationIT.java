package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.testing.ClientCertificate;
import dev.mooring.sandbox.kube.Sandbox;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import dev.mooring.syncagent.agent.SyncAgent;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Credentials and certificates that are replaced while the agent runs, on the server's side and in
 * the agent's files, in whichever order. The service cluster is behind a proxy that checks them.
 */
@Tag("full")
class RotationIT {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  private final Certificates certificates = new Certificates(clusters, "consumer-1");
  private final AgentStart usual = AgentStart.between(clusters);
  private Path directory;
  private Gate gate;
  private TlsProxy proxy;

  @BeforeEach
  void make() throws IOException {
    directory = Files.createTempDirectory(clusters.directory(), "rotation");
    gate = new Gate(0);
  }

  @AfterEach
  void close() throws IOException {
    gate.close();
    proxy.close();
  }

  @Test
  void goesOnWithTheClientCertificateThatReplacesItsOwn() throws Exception {
    goesOnWithAnotherClientCertificate(
        clusters.serviceServer(),
        clusters.serviceKubeconfig(),
        usual::toService,
        "service cluster");
  }

  @Test
  void goesOnWithTheClientCertificateThatReplacesItsOwnForKcp() throws Exception {
    goesOnWithAnotherClientCertificate(
        clusters.kcpServer(), clusters.kcpKubeconfig(), usual::toKcp, "kcp");
  }

  private void goesOnWithAnotherClientCertificate(
      Sandbox server, Path usualKubeconfig, Function<Path, AgentStart> to, String side)
      throws Exception {
    ServerIdentity identity = GatedConnections.identity(directory.resolve("ca"));
    var first = ClientCertificate.make(directory, "first", "EC");
    var second = ClientCertificate.make(directory, "second", "EC");
    Path certificate = Files.writeString(directory.resolve("tls.crt"), first.certificatePem());
    Path key = Files.writeString(directory.resolve("tls.key"), first.keyPem());
    lead(server, identity, admitting(first.certificate()));
    Path kubeconfig =
        write(
            "kubeconfig",
            user(
                shown(server, usualKubeconfig, identity),
                "client-certificate: " + certificate + "\n    client-key: " + key));
    try (SyncAgent agent = to.apply(kubeconfig).start()) {
      AgentStart.awaitReady(agent);

      lead(server, identity, admitting(second.certificate()));

      AgentStart.awaitReason(agent, side + ": ");
      certificates.order("by-second-of-" + side.replace(' ', '-'));
      Files.writeString(key, second.keyPem());
      Files.writeString(certificate, second.certificatePem());
      certificates.copy("by-second-of-" + side.replace(' ', '-'));
      AgentStart.awaitReady(agent);
    }
  }

  @Test
  void saysThatItDoesNotTrustAServerAndGoesOnOnceItsKubeconfigHasTheNewAuthority()
      throws Exception {
    ServerIdentity first = GatedConnections.identity(directory.resolve("first"));
    ServerIdentity second = GatedConnections.identity(directory.resolve("second"));
    lead(clusters.serviceServer(), first, new TlsProxy.Rules() {});
    Path kubeconfig =
        write("service", shown(clusters.serviceServer(), clusters.serviceKubeconfig(), first));
    try (SyncAgent agent = usual.toService(kubeconfig).start()) {
      AgentStart.awaitReady(agent);

      lead(clusters.serviceServer(), second, new TlsProxy.Rules() {});

      await()
          .atMost(AgentStart.PATIENCE)
          .untilAsserted(() ->
              assertThat(agent.reasons())
                  .anySatisfy(reason ->
                      assertThat(reason)
                          .startsWith("service cluster: ")
                          .contains("is not trusted", "the CA in its kubeconfig")));
      certificates.order("by-other-authority");
      Files.writeString(
          kubeconfig, GatedConnections.trusting(second, Files.readString(kubeconfig)));
      certificates.copy("by-other-authority");
      AgentStart.awaitReady(agent);
    }
  }

  @Test
  void needsNothingWhereItTrustedBothAuthoritiesInTime() throws Exception {
    ServerIdentity first = GatedConnections.identity(directory.resolve("first"));
    ServerIdentity second = GatedConnections.identity(directory.resolve("second"));
    lead(clusters.serviceServer(), first, new TlsProxy.Rules() {});
    String text = shown(clusters.serviceServer(), clusters.serviceKubeconfig(), first);
    Path kubeconfig = write("service", text);
    try (SyncAgent agent = usual.toService(kubeconfig).start()) {
      AgentStart.awaitReady(agent);
      KubeClient before = agent.serviceCluster().orElseThrow();
      Files.writeString(
          kubeconfig, GatedConnections.trusting(text, first.authority(), second.authority()));
      await()
          .atMost(AgentStart.PATIENCE)
          .until(() -> agent.serviceCluster().orElseThrow() != before);
      AgentStart.awaitReady(agent);
      KubeClient trusting = agent.serviceCluster().orElseThrow();

      lead(clusters.serviceServer(), second, new TlsProxy.Rules() {});

      certificates.order("by-both");
      certificates.copy("by-both");
      AgentStart.awaitReady(agent);
      assertThat(agent.serviceCluster()).containsSame(trusting);
    }
  }

  @Test
  void readsATokenFileAgainWithoutARestart() throws Exception {
    ServerIdentity identity = GatedConnections.identity(directory.resolve("ca"));
    Path token = write("token", "first");
    lead(clusters.kcpServer(), identity, accepting("first"));
    Path kubeconfig =
        write(
            "kcp",
            user(
                shown(clusters.kcpServer(), clusters.kcpKubeconfig(), identity),
                "tokenFile: " + token));
    try (SyncAgent agent = usual.toKcp(kubeconfig).start()) {
      AgentStart.awaitReady(agent);
      KubeClient before = agent.serviceCluster().orElseThrow();

      lead(clusters.kcpServer(), identity, accepting("second"));

      await()
          .atMost(AgentStart.PATIENCE)
          .untilAsserted(() ->
              assertThat(agent.reasons())
                  .anyMatch(h -> h.startsWith("kcp: ") && h.contains("401")));
      certificates.order("by-second-token");
      Files.writeString(token, "second");
      certificates.copy("by-second-token");
      AgentStart.awaitReady(agent);
      assertThat(agent.serviceCluster()).containsSame(before);
    }
  }

  /** From now on, and everything that was open is cut. */
  private void lead(Sandbox server, ServerIdentity identity, TlsProxy.Rules rules) {
    var next =
        new TlsProxy(
            server.url(),
            GatedConnections.authority(server),
            GatedConnections.url(gate),
            identity,
            rules);
    gate.lead(next.port());
    if (proxy != null) {
      proxy.close();
    }
    proxy = next;
  }

  private static TlsProxy.Rules admitting(X509Certificate client) {
    return new TlsProxy.Rules() {
      @Override
      public Optional<X509Certificate> clientCertificate() {
        return Optional.of(client);
      }

      @Override
      public Optional<String> authorization(String header) {
        return Optional.of("Bearer " + TwoClusters.ROBOT_TOKEN);
      }
    };
  }

  private static TlsProxy.Rules accepting(String token) {
    return new TlsProxy.Rules() {
      @Override
      public Optional<String> authorization(String header) {
        return header.equals("Bearer " + token)
            ? Optional.of("Bearer " + TwoClusters.ROBOT_TOKEN)
            : Optional.empty();
      }
    };
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  /** The kubeconfig, leading to the proxy. */
  private String shown(Sandbox server, Path kubeconfig, ServerIdentity identity)
      throws IOException {
    URI url = GatedConnections.url(gate);
    return GatedConnections.trusting(
        identity, Files.readString(kubeconfig).replace(server.url().toString(), url.toString()));
  }

  /** The kubeconfig with another way to prove who it is. */
  private static String user(String kubeconfig, String credentials) {
    return kubeconfig.replaceAll("token: .*", credentials);
  }
}
