package dev.mooring.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceUsersTest {
  @TempDir private Path directory;

  @Test
  void anAuthorityOfTheKcpSignsUsersOfTheManifestsNames() throws CertificateException {
    CertificateAuthority.in(directory, Instant.now());

    ServiceUsers users =
        running(
            Map.of(
                ServiceUsers.CLIENT_CA, directory.resolve("ca.crt").toString(),
                ServiceUsers.CLIENT_CA_KEY, directory.resolve("ca.key").toString()));

    assertThat(users.of(Program.DEPENDENCY_WEBHOOK).name()).isEqualTo("mooring:dependency-webhook");
    assertThat(subject(users.of(Program.DEPENDENCY_WEBHOOK).credentials()))
        .isEqualTo("CN=mooring:dependency-webhook");
    assertThat(subject(users.shardAdmin().orElseThrow()))
        .isEqualTo("CN=shard-admin,O=system:masters");
  }

  @Test
  void anAuthorityWithoutItsKeyIsRefused() {
    CertificateAuthority.in(directory, Instant.now());

    assertThatExceptionOfType(HarnessFailure.class)
        .isThrownBy(
            () -> running(Map.of(ServiceUsers.CLIENT_CA, directory.resolve("ca.crt").toString())))
        .withMessage("KCP_CLIENT_CA and KCP_CLIENT_CA_KEY belong together: set both or neither.");
  }

  @Test
  void tokensOfUsersAreTaken() throws IOException {
    ServiceUsers users = running(tokens("a,agent,1", "c,controller,2", "w,webhook,3"));

    assertThat(users.of(Program.DEPENDENCY_CONTROLLER).name()).isEqualTo("controller");
    assertThat(users.of(Program.DEPENDENCY_CONTROLLER).credentials())
        .isEqualTo(Map.of("token", "c"));
    assertThat(users.shardAdmin()).isEmpty();
  }

  @Test
  void aServiceAccountsNameInATokenFileIsRefused() throws IOException {
    Map<String, String> environment =
        tokens("a,agent,1", "c,controller,2", "w,system:serviceaccount:ns:webhook,3");

    assertThatExceptionOfType(HarnessFailure.class)
        .isThrownBy(() -> running(environment))
        .withMessageContaining("which has the user system:serviceaccount:ns:webhook")
        .withMessageContaining("in every workspace")
        .withMessageContaining("KCP_CLIENT_CA");
  }

  @Test
  void withoutEitherTheServicesHaveNoUsersOfTheirOwn() {
    assertThat(ServiceUsers.ofRunningKcp(Map.of(), directory)).isEmpty();
  }

  private ServiceUsers running(Map<String, String> environment) {
    return ServiceUsers.ofRunningKcp(environment, directory).orElseThrow();
  }

  private Map<String, String> tokens(String... lines) throws IOException {
    Path file = Files.write(directory.resolve("tokens.csv"), java.util.List.of(lines));
    return Map.of(ServiceUsers.TOKENS, file.toString());
  }

  private static String subject(Map<String, Object> credentials) throws CertificateException {
    byte[] pem = Base64.getDecoder().decode((String) credentials.get("client-certificate-data"));
    return ((X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem)))
        .getSubjectX500Principal()
        .getName();
  }
}
