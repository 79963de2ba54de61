package dev.mooring.sandbox.security.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.UserInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceAccountTokensTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final String ISSUER = "https://kcp.default.svc";

  @TempDir Path directory;
  private ServiceAccountTokens tokens;

  @BeforeEach
  void keys() {
    tokens = restarted();
  }

  @Test
  void requestedTokenSaysWhoseItIsUntilItExpires() {
    ServiceAccountClaims claims = claims("", Optional.of(NOW.plus(Duration.ofHours(1))));

    String token = tokens.sign(claims, NOW);

    assertThat(tokens.read(token, NOW.plus(Duration.ofMinutes(59)))).contains(claims);
    assertThat(tokens.read(token, NOW.plus(Duration.ofMinutes(60)))).isEmpty();
  }

  @Test
  void tokenOfASecretNamesIt() {
    ServiceAccountClaims claims = claims("robot-token", Optional.empty());

    assertThat(tokens.read(tokens.sign(claims, NOW), NOW))
        .map(ServiceAccountClaims::secretName)
        .contains("robot-token");
  }

  @Test
  void changedTokenIsRefused() {
    String token = tokens.sign(claims("", Optional.of(NOW.plusSeconds(60))), NOW);
    String other = tokens.sign(claims("other", Optional.empty()), NOW);
    String[] parts = token.split("\\.");
    String[] otherParts = other.split("\\.");

    assertThat(tokens.read(parts[0] + "." + otherParts[1] + "." + parts[2], NOW)).isEmpty();
    assertThat(tokens.read("x", NOW)).isEmpty();
    assertThat(tokens.read("a.b.c", NOW)).isEmpty();
  }

  @Test
  void tokensOutliveARestart() {
    ServiceAccountClaims claims = claims("", Optional.of(NOW.plusSeconds(60)));

    assertThat(restarted().read(tokens.sign(claims, NOW), NOW)).contains(claims);
  }

  @Test
  void userIsConfinedToItsLogicalCluster() {
    UserInfo user = claims("", Optional.empty()).user();

    assertThat(user.name()).isEqualTo("system:serviceaccount:default:robot");
    assertThat(user.groups())
        .containsExactly("system:serviceaccounts", "system:serviceaccounts:default");
    assertThat(EffectiveUsers.inScope(new LogicalCluster("abc"), user)).isTrue();
    assertThat(EffectiveUsers.inScope(new LogicalCluster("def"), user)).isFalse();
  }

  private ServiceAccountTokens restarted() {
    return new ServiceAccountTokens(CertificateAuthority.in(directory, NOW).tokenKeys(), ISSUER);
  }

  private static ServiceAccountClaims claims(String secret, Optional<Instant> expiry) {
    return new ServiceAccountClaims(
        new LogicalCluster("abc"),
        "default",
        "robot",
        "uid-1",
        secret,
        secret.isEmpty() ? "id-1" : "",
        secret.isEmpty() ? List.of(ISSUER) : List.of(),
        expiry);
  }
}
