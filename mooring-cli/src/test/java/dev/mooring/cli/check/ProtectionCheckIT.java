package dev.mooring.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.ProjectLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Everything that {@code ./protection-check} tries, in its order, on the sandbox or on the kcp of
 * {@code KCP_KUBECONFIG}: both services as processes, with no rights but those of the shipped
 * manifests.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("full")
class ProtectionCheckIT {
  private static ProtectionEnvironment environment;
  private static List<Check> checks;

  @BeforeAll
  static void prepares() {
    ProjectLayout layout = ProjectLayout.find();
    environment =
        ProtectionEnvironment.prepare(
            layout,
            layout.root().resolve("acceptance-tests/target/protection-check"),
            PortPlan.free(),
            KcpChoice.fromEnvironment(),
            Duration.ZERO);
    checks = CheckCommand.checks(environment);
  }

  @AfterAll
  static void ends() {
    if (environment != null) {
      environment.close();
    }
  }

  @Test
  @Order(1)
  void keepsACollectionWithAReferencedObjectInIt() throws Exception {
    holds("W1");
  }

  @Test
  @Order(2)
  void allowsACollectionThatOnlyDependentsWithoutTheFieldCouldBlock() throws Exception {
    holds("W1b");
  }

  @Test
  @Order(3)
  void keepsANamespacedObjectForAClusterScopedDependent() throws Exception {
    holds("W2");
  }

  @Test
  @Order(4)
  void keepsAnObjectForADependentInAnotherNamespace() throws Exception {
    holds("W2b");
  }

  @Test
  @Order(5)
  void saysOfARuleThatItsTypeIsNotExported() throws Exception {
    holds("W2c");
  }

  @Test
  @Order(6)
  void ignoresARuleAboutObjectsOfAnotherProvider() throws Exception {
    holds("W7");
  }

  @Test
  @Order(7)
  void takesTheGoProgramsConfigurationOverWithoutAGap() throws Exception {
    holds("take-over");
  }

  @Test
  @Order(8)
  void changesNoConfigurationByARestart() throws Exception {
    holds("W4");
  }

  @Test
  @Order(9)
  void removesTheWebhookOfARuleThatWentWhileTheControllerWasAway() throws Exception {
    holds("W5b");
  }

  @Test
  @Order(10)
  void bringsAChangedUrlToWhatIsInstalled() throws Exception {
    holds("W6");
  }

  @Test
  @Order(11)
  void startsTheControllerByTheGoControllersFlags() throws Exception {
    holds("flags-controller");
  }

  @Test
  @Order(12)
  void protectsAProviderThatComesAfterTheRule() throws Exception {
    holds("W3");
  }

  @Test
  @Order(13)
  void asksNoMoreAboutWhatARuleNamesNoMore() throws Exception {
    holds("W5");
  }

  @Test
  @Order(14)
  void bringsAChangedCaBundleToWhatIsInstalled() throws Exception {
    holds("W6b");
  }

  @Test
  @Order(15)
  void allowsOnlyWhatIsAnnotatedWhileTheWebhookIsAway() throws Exception {
    holds("W8");
  }

  @Test
  @Order(16)
  void startsTheWebhookByTheGoWebhooksFlags() throws Exception {
    holds("flags-webhook");
  }

  @Test
  @Order(17)
  void answersRightlyWhileReplicasAreReplaced() throws Exception {
    holds("rolling");
  }

  @Test
  @Order(18)
  void answersRightlyWhileAuthorityAndCertificateAreReplaced() throws Exception {
    holds("ca-rotation");
  }

  @Test
  @Order(19)
  void answersRightlyWhileTheSigningKeyIsReplaced() throws Exception {
    holds("key-rotation");
  }

  @Test
  @Order(20)
  void everyCheckOfTheProgramStandsHere() {
    assertThat(checks).hasSize(19);
  }

  private static void holds(String id) throws Exception {
    checks.stream().filter(check -> check.id().equals(id)).findFirst().orElseThrow().trial().run();
  }
}
