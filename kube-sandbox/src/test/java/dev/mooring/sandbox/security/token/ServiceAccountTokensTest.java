package dev.mooring.sandbox.security.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.token.ServiceAccountClaims.Origin;
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
  void requestedTokenSaysWhoseItIs() {
    ServiceAccountClaims claims = claims(requested(Optional.empty()));
    ServiceAccountClaims bound =
        claims(requested(Optional.of(new ServiceAccountClaims.Reference("secret", "uid-2"))));

    assertThat(tokens.read(tokens.sign(claims, NOW))).contains(claims);
    assertThat(tokens.read(tokens.sign(bound, NOW))).contains(bound);
  }

  @Test
  void tokenOfASecretNamesIt() {
    ServiceAccountClaims claims = claims(new Origin.Kept("robot-token"));

    assertThat(tokens.read(tokens.sign(claims, NOW))).contains(claims);
  }

  @Test
  void changedTokenIsRefused() {
    String token = tokens.sign(claims(requested(Optional.empty())), NOW);
    String other = tokens.sign(claims(new Origin.Kept("other")), NOW);
    String[] parts = token.split("\\.");
    String[] otherParts = other.split("\\.");

    assertThat(tokens.read(parts[0] + "." + otherParts[1] + "." + parts[2])).isEmpty();
    assertThat(tokens.read("x")).isEmpty();
    assertThat(tokens.read("a.b.c")).isEmpty();
  }

  @Test
  void tokensOutliveARestart() {
    ServiceAccountClaims claims = claims(requested(Optional.empty()));

    assertThat(restarted().read(tokens.sign(claims, NOW))).contains(claims);
  }

  @Test
  void userIsConfinedToItsLogicalCluster() {
    UserInfo user = claims(new Origin.Kept("robot-token")).user();

    assertThat(user.name()).isEqualTo("system:serviceaccount:default:robot");
    assertThat(user.groups())
        .containsExactly("system:serviceaccounts", "system:serviceaccounts:default");
    assertThat(EffectiveUsers.inScope(new LogicalCluster("abc"), user)).isTrue();
    assertThat(EffectiveUsers.inScope(new LogicalCluster("def"), user)).isFalse();
  }

  private ServiceAccountTokens restarted() {
    return new ServiceAccountTokens(CertificateAuthority.in(directory, NOW).tokenKeys(), ISSUER);
  }

  private static Origin requested(Optional<ServiceAccountClaims.Reference> secret) {
    return new Origin.Requested("id-1", List.of(ISSUER), NOW.plus(Duration.ofHours(1)), secret);
  }

  private static ServiceAccountClaims claims(Origin origin) {
    return new ServiceAccountClaims(new LogicalCluster("abc"), "default", "robot", "uid-1", origin);
  }
}
