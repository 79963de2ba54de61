package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.signature.KeyRotator;
import dev.mooring.depcontroller.signature.decide.KeyTimings;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.signature.ReviewKeys;
import dev.mooring.runtime.signature.ReviewKeys.Unsigned;
import dev.mooring.runtime.signature.ReviewSegment;
import dev.mooring.runtime.signature.SigningKey;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys that sign URLs and the configurations that carry them, together on the sandbox. */
class SignedConfigurationsIT {
  private static final String NAMESPACE = "dependency-system";
  private static final String URL = "https://hook.example.com:9443/validate";
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private TestWorkspaces workspaces;
  private KubeConnection kcp;
  private ControllerEnvironment env;
  private LogicalCluster provider;
  private KeyRotator rotator;
  private DependencyController controller;

  @BeforeEach
  void starts() {
    workspaces = TestWorkspaces.onSandbox(directory);
    env = ControllerEnvironment.prepare(workspaces);
    env.writeRule("vpcs");
    provider = workspaces.cluster(env.network());
    kcp = workspaces.connect(env.dependencies());
    rotator =
        new KeyRotator(
            kcp.client(),
            NAMESPACE,
            new KeyTimings(MINUTE, Duration.ofMinutes(10)),
            now::get,
            () -> true);
    controller =
        ControllerEnvironment.controller(
            kcp,
            () ->
                new GuardSettings(
                    URL,
                    "",
                    FailurePolicy.FAIL,
                    Duration.ofSeconds(10),
                    rotator.signing().map(key -> key::segment)),
            () -> true);
    rotator.observeRollout(controller::providersWithout);
  }

  @AfterEach
  void stops() {
    controller.close();
    kcp.close();
    workspaces.close();
  }

  @Test
  void everyUrlIsSignedBeforeUnsignedReviewsAreRefused() {
    rotator.reconcile();
    await().until(() -> env.guardsOnly("vpcs"));
    assertThat(segments()).containsOnly(provider.name());

    pass(Duration.ofSeconds(59));
    assertThat(keys().current()).isEmpty();
    pass(Duration.ofSeconds(1));
    SigningKey first = keys().current().orElseThrow();
    awaitSignedWith(first);
    assertThat(keys().unsigned()).isEqualTo(new Unsigned.Accepted());

    rotator.reconcile();
    pass(Duration.ofSeconds(59));
    assertThat(keys().unsigned()).isEqualTo(new Unsigned.Accepted());
    pass(Duration.ofSeconds(1));
    assertThat(keys().unsigned()).isEqualTo(new Unsigned.Refused(new TreeSet<>()));
    assertThat(segments())
        .allSatisfy(segment -> assertThat(keys().signed(ReviewSegment.parse(segment))).isTrue());
  }

  @Test
  void anAnnotationHasTheKeyRotatedAndWhatIsInstalledIsAcceptedAllTheWhile() {
    settle();
    SigningKey first = keys().current().orElseThrow();

    workspaces
        .client(env.dependencies())
        .patch(
            SECRETS,
            NAMESPACE,
            ReviewKeys.SECRET,
            Map.of(
                "metadata",
                Map.of("annotations", Map.of("dependencies.opendefense.cloud/rotate", "now"))));
    rotator.reconcile();
    assertThat(secret().annotation("dependencies.opendefense.cloud/rotate")).isEmpty();
    assertInstalledIsAccepted();

    pass(MINUTE);
    SigningKey second = keys().current().orElseThrow();
    assertThat(second).isNotEqualTo(first);
    assertInstalledIsAccepted();
    awaitSignedWith(second);
    assertThat(keys().old()).contains(first);

    rotator.reconcile();
    pass(MINUTE);
    assertThat(keys().old()).isEmpty();
    assertThat(keys().unsigned()).isEqualTo(new Unsigned.Refused(new TreeSet<>()));
    assertInstalledIsAccepted();
  }

  @Test
  void aDeletedSecretIsMadeAgainAndNothingLosesItsSignatureMeanwhile() {
    settle();
    SigningKey first = keys().current().orElseThrow();

    workspaces.delete(env.dependencies(), SECRETS, NAMESPACE, ReviewKeys.SECRET);
    rotator.reconcile();
    controller.resync();
    assertThat(keys().unsigned()).isEqualTo(new Unsigned.Accepted());
    assertThat(rotator.signing()).contains(first);

    pass(MINUTE);
    awaitSignedWith(keys().current().orElseThrow());
    rotator.reconcile();
    pass(MINUTE);
    assertThat(keys().unsigned()).isEqualTo(new Unsigned.Refused(new TreeSet<>()));
    assertThat(keys().current()).isNotEqualTo(Optional.of(first));
  }

  /** Its configuration stays where it is, and the controller can write it no more. */
  @Test
  void theConfigurationOfAProviderThatLeftIsAcceptedUntilTheNextRotation() {
    settle();
    var network = workspaces.client(env.network());
    network.delete(
        ProviderWorkspaceReconciler.BINDINGS,
        "",
        ControllerEnvironment.EXPORT,
        new DeleteCondition.Unconditional());
    await()
        .until(() ->
            network
                .find(ProviderWorkspaceReconciler.BINDINGS, "", "dependencies.opendefense.cloud")
                .isEmpty());

    rotator.reconcile();
    pass(Duration.ofDays(1_000));
    pass(Duration.ofDays(1_000));

    assertInstalledIsAccepted();
  }

  private void settle() {
    rotator.reconcile();
    await().until(() -> env.guardsOnly("vpcs"));
    pass(MINUTE);
    awaitSignedWith(keys().current().orElseThrow());
    rotator.reconcile();
    pass(MINUTE);
    assertThat(keys().unsigned()).isEqualTo(new Unsigned.Refused(new TreeSet<>()));
  }

  private void assertInstalledIsAccepted() {
    assertThat(segments())
        .isNotEmpty()
        .allSatisfy(segment -> assertThat(keys().signed(ReviewSegment.parse(segment))).isTrue());
  }

  private void awaitSignedWith(SigningKey key) {
    await()
        .until(
            () -> controller.providersWithout(key::segment).filter(SortedSet::isEmpty).isPresent());
    assertThat(segments()).containsOnly(key.segment(provider));
  }

  private void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
    if (rotator.reconcile()) {
      controller.resync();
    }
  }

  /** Of the URLs of all entries. */
  private List<String> segments() {
    return env.configuration().orElseThrow().list("webhooks").stream()
        .map(entry -> Trees.textOrEmpty(Trees.at(entry, "clientConfig", "url")))
        .map(url -> url.substring(URL.length() + 1).replaceFirst("/.*", ""))
        .toList();
  }

  private KubeObject secret() {
    return workspaces
        .client(env.dependencies())
        .find(SECRETS, NAMESPACE, ReviewKeys.SECRET)
        .orElseThrow();
  }

  private ReviewKeys keys() {
    return ReviewKeys.read(secret());
  }
}
