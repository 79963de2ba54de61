package dev.mooring.sandbox.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.sandbox.junit.KcpConnection.Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigReaderTest {
  private static final String TEXT =
      """
      apiVersion: v1
      kind: Config
      current-context: here
      contexts:
      - {name: there, context: {cluster: a, user: other}}
      - {name: here, context: {cluster: b, user: me}}
      clusters:
      - {name: a, cluster: {server: 'https://a:1'}}
      - {name: b, cluster: {server: 'https://b:2/clusters/root', certificate-authority: ca.crt}}
      users:
      - name: me
        user: {%s}
      """;

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void writeFiles() throws IOException {
    file = directory.resolve("kubeconfig");
    Files.writeString(directory.resolve("ca.crt"), "authority");
    Files.writeString(directory.resolve("my.crt"), "certificate");
    Files.writeString(directory.resolve("my.token"), "secret\n");
  }

  private KcpConnection read(String user) throws IOException {
    Files.writeString(file, TEXT.formatted(user));
    return new KubeconfigReader(file).read();
  }

  @Test
  void readsTheCurrentContext() throws IOException {
    assertThat(read("token: secret"))
        .isEqualTo(
            new KcpConnection(
                URI.create("https://b:2/clusters/root"),
                Optional.of("authority"),
                new Credentials.Token("secret")));
  }

  @Test
  void readsFilesThatLieBesideIt() throws IOException {
    assertThat(read("tokenFile: my.token").credentials())
        .isEqualTo(new Credentials.Token("secret"));
    assertThat(read("client-certificate: my.crt, client-key-data: a2V5").credentials())
        .isEqualTo(new Credentials.ClientCertificate("certificate", "key"));
  }

  @Test
  void readsWhatAConnectionWrites() throws IOException {
    KcpConnection read = read("client-certificate: my.crt, client-key-data: a2V5");

    Files.writeString(file, read.kubeconfig());

    assertThat(new KubeconfigReader(file).read()).isEqualTo(read);
  }

  @Test
  void saysWhatItDoesNotUnderstand() {
    assertThatExceptionOfType(KcpProblem.class)
        .isThrownBy(() -> read("exec: {command: login}"))
        .withMessageContaining("the user \"me\"")
        .withMessageEndingWith("use a context whose user has one");
    assertThatExceptionOfType(KcpProblem.class)
        .isThrownBy(() -> read("tokenFile: absent"))
        .withMessage(
            "the kubeconfig %s cannot be read: cannot read %s", file, directory.resolve("absent"));
    assertThatExceptionOfType(KcpProblem.class)
        .isThrownBy(() -> read("}"))
        .withMessageStartingWith("the kubeconfig " + file + " cannot be read");
  }
}
