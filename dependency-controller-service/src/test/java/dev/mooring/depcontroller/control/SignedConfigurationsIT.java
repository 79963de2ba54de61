package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.signature.KeyReconciler;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys that sign URLs and the configurations that carry them, together on the sandbox. */
class SignedConfigurationsIT {
  private static final String NAMESPACE = "dependency-system";
  private static final String URL = "https://hook.example.com:9443/validate";
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  @TempDir private Path directory;

  private TestWorkspaces workspaces;
  private KubeConnection kcp;
  private ControllerEnvironment env;
  private LogicalCluster provider;
  private KeyReconciler keys;
  private DependencyController controller;
  private volatile Supplier<Optional<SigningKey>> signer = () -> keys.signing();

  @BeforeEach
  void starts() {
    workspaces = TestWorkspaces.onSandbox(directory);
    env = ControllerEnvironment.prepare(workspaces);
    env.writeRule("vpcs");
    provider = workspaces.cluster(env.network());
    kcp = workspaces.connect(env.dependencies());
    keys = new KeyReconciler(kcp.client(), NAMESPACE, () -> true);
    controller =
        ControllerEnvironment.controller(
            kcp,
            () ->
                new GuardSettings(
                    URL,
                    "",
                    FailurePolicy.FAIL,
                    Duration.ofSeconds(10),
                    signer.get().map(key -> key::segment)),
            () -> true);
    keys.observeRollout(controller::providersWithout);
  }

  @AfterEach
  void stops() {
    controller.close();
    kcp.close();
    workspaces.close();
  }

  @Test
  void everyUrlIsSignedBeforeUnsignedReviewsAreRefused() {
    check();
    assertThat(held().unsigned()).isEqualTo(new Unsigned.Accepted());
    awaitSignedWith(held().current());

    check();
    assertThat(held().unsigned()).isEqualTo(new Unsigned.Accepted());
    check();
    assertThat(held().unsigned()).isEqualTo(new Unsigned.Refused(new TreeSet<>()));
    assertInstalledIsAccepted();
  }

  /** The edit of docs/how-to/install-dependency-protection.md. */
  @Test
  void anotherKeyIsAnEditAndWhatIsInstalledIsAcceptedAllTheWhile() {
    settle();
    SigningKey first = held().current();
    SigningKey second = SigningKey.generate();

    edit(new ReviewKeys(second, Optional.of(first), held().unsigned()));
    assertInstalledIsAccepted();
    check();
    assertInstalledIsAccepted();
    awaitSignedWith(second);
    check();
    assertThat(keys.summary())
        .isEqualTo(
            "URLs are signed with %s; none is signed with the old %s, which can be removed; unsigned reviews are refused"
                .formatted(second, first));

    edit(new ReviewKeys(second, Optional.empty(), held().unsigned()));
    check();
    check();
    assertThat(held().unsigned()).isEqualTo(new Unsigned.Refused(new TreeSet<>()));
    assertInstalledIsAccepted();
  }

  @Test
  void exemptsWhoIsNotSignedOnceTheOldKeyIsRemoved() {
    settle();
    SigningKey first = held().current();
    SigningKey second = SigningKey.generate();
    signer = () -> Optional.of(first);

    edit(new ReviewKeys(second, Optional.of(first), held().unsigned()));
    check();
    check();
    assertThat(keys.summary())
        .contains("still signed with the old %s: %s;".formatted(first, provider.name()));
    assertInstalledIsAccepted();

    edit(new ReviewKeys(second, Optional.empty(), held().unsigned()));
    check();
    check();
    assertThat(held().unsigned()).isEqualTo(new Unsigned.Refused(new TreeSet<>(List.of(provider))));
  }

  @Test
  void aDeletedSecretIsMadeAgainAndUnsignedReviewsAreAcceptedUntilAllIsSigned() {
    settle();
    SigningKey first = held().current();

    workspaces.delete(env.dependencies(), SECRETS, NAMESPACE, ReviewKeys.SECRET);
    check();

    assertThat(held().unsigned()).isEqualTo(new Unsigned.Accepted());
    assertThat(held().current()).isNotEqualTo(first);
    awaitSignedWith(held().current());
    check();
    check();
    assertThat(held().unsigned()).isEqualTo(new Unsigned.Refused(new TreeSet<>()));
  }

  @Test
  void signsOnWithTheKeyThatItKnowsWhileTheSecretCannotBeUnderstood() {
    settle();
    SigningKey first = held().current();

    workspaces
        .client(env.dependencies())
        .patch(SECRETS, NAMESPACE, ReviewKeys.SECRET, Map.of("data", Map.of("current", "AAAA")));
    check();

    assertThat(keys.signing()).contains(first);
    assertThat(keys.summary()).contains("cannot be understood: a key has not 32 bytes");
    assertThat(segments()).containsOnly(first.segment(provider));
  }

  /** Its configuration stays where it is, and the controller can write it no more. */
  @Test
  void theConfigurationOfAProviderThatLeftIsAcceptedUntilItsKeyIsRemoved() {
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

    check();
    check();

    assertInstalledIsAccepted();
  }

  private void settle() {
    check();
    awaitSignedWith(held().current());
    check();
    check();
    assertThat(held().unsigned()).isEqualTo(new Unsigned.Refused(new TreeSet<>()));
  }

  private void assertInstalledIsAccepted() {
    assertThat(segments())
        .isNotEmpty()
        .allSatisfy(segment -> assertThat(held().signed(ReviewSegment.parse(segment))).isTrue());
  }

  private void awaitSignedWith(SigningKey key) {
    await().until(() -> env.guardsOnly("vpcs"));
    await()
        .until(
            () -> controller.providersWithout(key::segment).filter(SortedSet::isEmpty).isPresent());
    assertThat(segments()).containsOnly(key.segment(provider));
  }

  private void edit(ReviewKeys edited) {
    workspaces.client(env.dependencies()).update(SECRETS, secret().with(edited.data(), "data"));
  }

  /** As the controller does periodically. */
  private void check() {
    if (keys.reconcile()) {
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

  private ReviewKeys held() {
    return ReviewKeys.read(secret());
  }
}
