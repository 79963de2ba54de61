package dev.mooring.runtime.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.WatchHandle;
import dev.mooring.runtime.client.WatchQuery;
import dev.mooring.runtime.client.WatchSink;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.testing.ClientCertificate;
import dev.mooring.runtime.testing.Pem;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a connection that are replaced while it is in use. */
class CredentialRenewalTest {
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");
  private static ServerIdentity identity;
  private static ServerIdentity otherIdentity;
  private static ClientCertificate first;
  private static ClientCertificate second;

  private final ManualTime time = new ManualTime();
  @TempDir private Path directory;
  private CertificateServer server;
  private KubeConnection connection;

  @BeforeAll
  static void make(@TempDir Path made)
      throws IOException, InterruptedException, GeneralSecurityException {
    identity = identity(made.resolve("ca"));
    otherIdentity = identity(made.resolve("other-ca"));
    first = ClientCertificate.make(made, "first", "EC");
    second = ClientCertificate.make(made, "second", "RSA");
  }

  @BeforeEach
  void connects() throws IOException, GeneralSecurityException {
    server = new CertificateServer(identity, first.certificate());
    write("ca.crt", authority(identity));
    write("tls.crt", first.certificatePem());
    write("tls.key", first.keyPem());
    Path kubeconfig = write("kubeconfig", kubeconfig(server.url()));
    connection =
        KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("test")).keptRenewed(time);
    ask();
  }

  @AfterEach
  void closes() {
    connection.close();
    server.close();
  }

  @Test
  void showsTheRenewedCertificateSecondsAfterItsFilesWereReplaced() throws Exception {
    write("tls.key", second.keyPem());
    write("tls.crt", second.certificatePem());
    server.now(identity, second.certificate());

    time.advance(HttpClientGenerations.PERIOD);

    awaitLetIn();
    assertFormersEnd();
  }

  @Test
  void reloadsWithinSecondsOnceARequestWasNotLetIn() throws Exception {
    server.now(identity, second.certificate());
    awaitNotLetIn();
    write("tls.key", second.keyPem());
    write("tls.crt", second.certificatePem());

    time.advance(HttpClientGenerations.PERIOD);

    awaitLetIn();
  }

  @Test
  void looksSeldomHoweverManyRequestsFail() {
    server.now(identity, second.certificate());
    for (int i = 0; i < 20; i++) {
      awaitNotLetIn();
    }
    assertThat(time.pending()).isEqualTo(1);

    time.advance(HttpClientGenerations.PERIOD.minusMillis(1));

    assertThat(time.pending()).isEqualTo(1);
    assertThat(time.asked()).allMatch(delay -> delay.compareTo(HttpClientGenerations.PERIOD) >= 0);
  }

  @Test
  void goesOnWithAWatchUntilTheServerEndsIt() throws Exception {
    var sink = new Sink();
    try (WatchHandle _ = connection.client().watch(CONFIG_MAPS, query(), sink)) {
      renew();
      assertThat(connection.linesOpen()).isEqualTo(2);

      server.event("after");

      await().until(() -> sink.names.equals(List.of("after")));
      assertThat(sink.ended).isNotDone();
      server.endWatch();
      assertThat(sink.ended.get()).isEmpty();
      assertFormersEnd();
    }
  }

  @Test
  void breaksAWatchOffThatWouldKeepTheFormerConnectionsForGood() throws Exception {
    var sink = new Sink();
    try (WatchHandle _ = connection.client().watch(CONFIG_MAPS, query(), sink)) {
      renew();

      assertFormersEnd();

      assertThat(sink.ended.get()).contains(KubeFailure.Kind.UNAVAILABLE);
      ask();
    }
  }

  @Test
  void keepsNoMoreThanAFewFormerConnections() throws Exception {
    var sink = new Sink();
    try (WatchHandle _ = connection.client().watch(CONFIG_MAPS, query(), sink)) {
      renew();
      for (int i = 1; i <= HttpClientGenerations.FORMER_MAX; i++) {
        assertThat(sink.ended).isNotDone();
        connection.client().watch(CONFIG_MAPS, query(), new Sink());
        renewOnceMore("# " + i + "\n");
      }

      assertThat(sink.ended.get()).contains(KubeFailure.Kind.UNAVAILABLE);
      assertThat(connection.linesOpen()).isEqualTo(1 + HttpClientGenerations.FORMER_MAX);
    }
  }

  @Test
  void keepsWhatItHasWhileFilesCannotBeUsed() throws Exception {
    for (String half :
        List.of("tls.crt " + second.certificatePem(), "tls.key no key", "kubeconfig - [}")) {
      String file = half.substring(0, half.indexOf(' '));
      String before = Files.readString(directory.resolve(file));
      write(file, half.substring(half.indexOf(' ') + 1));
      renewNow();
      ask();
      write(file, before);
    }
    Files.delete(directory.resolve("ca.crt"));
    renewNow();
    ask();

    write("ca.crt", authority(identity));
    renew();

    ask();
    assertFormersEnd();
  }

  @Test
  void trustsTheRenewedAuthority() throws Exception {
    write("ca.crt", authority(otherIdentity));
    server.now(otherIdentity, first.certificate());

    time.advance(HttpClientGenerations.PERIOD);

    awaitLetIn();
  }

  @Test
  void staysWithItsServer() throws Exception {
    try (var other = new CertificateServer(identity, second.certificate())) {
      write("kubeconfig", kubeconfig(other.url()));
      renewNow();

      ask();

      assertThat(connection.server()).hasToString(server.url());
      assertThat(connection.linesOpen()).isEqualTo(1);
      assertThat(connection.outdated()).isTrue();
      write("kubeconfig", kubeconfig(server.url()) + "# back\n");
      renew();
      ask();
    }
  }

  @Test
  void looksAtNothingOnceClosed() throws Exception {
    connection.client().watch(CONFIG_MAPS, query(), new Sink());
    renew();

    connection.close();

    assertThat(connection.linesOpen()).isZero();
    assertThat(time.pending()).isZero();
  }

  private static ServerIdentity identity(Path directory) {
    Instant now = Instant.now();
    return CertificateAuthority.in(directory, now).serverIdentity(Set.of(), now);
  }

  private static String authority(ServerIdentity of) {
    return Pem.of(of.authority());
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  private String kubeconfig(String url) {
    return StubServer.kubeconfig(
            url,
            "{client-certificate: %1$s/tls.crt, client-key: %1$s/tls.key}".formatted(directory))
        .replace(
            "{server: ", "{certificate-authority: " + directory.resolve("ca.crt") + ", server: ");
  }

  private static WatchQuery query() {
    return new WatchQuery(ListQuery.ALL, "1", Duration.ofHours(1));
  }

  private void ask() {
    connection.client().document("version");
  }

  private void awaitLetIn() {
    await().ignoreException(KubeFailure.class).untilAsserted(this::ask);
  }

  private void awaitNotLetIn() {
    await().untilAsserted(() -> assertThatExceptionOfType(KubeFailure.class).isThrownBy(this::ask));
  }

  private void assertFormersEnd() {
    assertThat(connection.linesOpen()).isGreaterThan(1);
    time.advance(HttpClientGenerations.FORMER_LIFE);
    await().until(() -> connection.linesOpen() == 1);
  }

  /** To the second certificate. */
  private void renew() throws IOException, GeneralSecurityException {
    write("tls.key", second.keyPem());
    write("tls.crt", second.certificatePem());
    server.now(identity, second.certificate());
    time.advance(HttpClientGenerations.PERIOD);
    awaitLetIn();
  }

  /** With the same credentials, in other words. */
  private void renewOnceMore(String comment) throws IOException {
    write("kubeconfig", kubeconfig(server.url()) + comment);
    long before = renewals();
    await()
        .until(() -> {
          time.advance(HttpClientGenerations.PERIOD);
          return renewals() > before;
        });
  }

  /** For each of which the former connections' end is put down. */
  private long renewals() {
    return time.asked().stream().filter(HttpClientGenerations.FORMER_LIFE::equals).count();
  }

  /** Returns once the look is over, whose end asks for the next one. */
  private void renewNow() {
    int asked = time.asked().size();
    time.advance(HttpClientGenerations.PERIOD);
    await().until(() -> time.asked().size() > asked);
  }

  /** What a watch reported. */
  private static final class Sink implements WatchSink {
    private final List<String> names = new CopyOnWriteArrayList<>();

    /** Completed with the failure's kind; with nothing if the server ended it. */
    private final CompletableFuture<Optional<KubeFailure.Kind>> ended = new CompletableFuture<>();

    @Override
    public void event(WatchEventType type, KubeObject object) {
      names.add(object.name());
    }

    @Override
    public void closed(KubeFailure cause) {
      ended.complete(Optional.ofNullable(cause).map(KubeFailure::kind));
    }
  }
}
