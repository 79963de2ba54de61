package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.race.UnusedRegister;
import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.Enforcement;
import dev.mooring.model.dependency.RaceProtection;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.time.SystemTime;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The race register does not answer while a dependent's deletion is to be noted in it. */
class SlowRegisterTest {
  private final ReviewFixture ground = new ReviewFixture();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  @Test
  void aDeletionThatIsAllowedIsAnsweredSo() throws InterruptedException {
    ground.rules = () -> new RuleSource.Loaded(RuleIndex.of(List.of(raced())));
    ReviewHandler handler =
        ground.handler(UnusedRegister.references(ground.rules, silentRegister()));
    var reviews = new TimedReviews(handler::answer, SystemTime.steadyClock());

    Answer answer =
        reviews.answer(
            KubeJson.write(deletionOfAMachine()),
            WebhookEntry.denying(""),
            reviews.begin("1s"),
            () -> {});

    assertThat(answer.decision()).isEqualTo(Decision.ALLOWED_UNPROTECTED);
    asked.await();
    released.countDown();
  }

  private KubeClient silentRegister() {
    return (KubeClient)
        Proxy.newProxyInstance(
            KubeClient.class.getClassLoader(),
            new Class<?>[] {KubeClient.class},
            (_, _, _) -> {
              asked.countDown();
              released.await();
              throw new IllegalStateException("the register is away");
            });
  }

  private static DependencyRule raced() {
    Enforcement usual = Enforcement.DEFAULT;
    return vmNeedsVpc()
        .with(
            new Enforcement(
                usual.mode(),
                usual.whileTerminating(),
                usual.bypass(),
                usual.consistency(),
                RaceProtection.STRICT));
  }

  private static KubeObject deletionOfAMachine() {
    var request = new HashMap<String, Object>();
    request.put("uid", ReviewFixture.UID);
    request.put(
        "resource",
        Map.of(
            "group", "compute.example.com", "version", "v1alpha1", "resource", "virtualmachines"));
    request.put("operation", "DELETE");
    request.put("userInfo", Map.of("username", "alice"));
    request.put(
        "oldObject",
        Map.of(
            "kind",
            "VirtualMachine",
            "metadata",
            Map.of(
                "name", "vm1",
                "namespace", "default",
                "uid", "u-vm1",
                "annotations", Map.of("kcp.io/cluster", "consumer1")),
            "spec",
            Map.of("vpcRef", Map.of("name", "net1"))));
    return KubeObject.of(
        Map.of("apiVersion", "admission.k8s.io/v1", "kind", "AdmissionReview", "request", request));
  }
}
