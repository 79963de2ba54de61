package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.REGIONS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.client.http.RequestCounters.Method;
import dev.mooring.runtime.client.http.RequestCounters.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** What a refusal tells tenants that may delete a target, but not list what refers to it. */
class HiddenDependentsIT extends OnWebhookEnvironment {
  @TempDir private static Path directory;
  private static ConfigurableApplicationContext service;

  @BeforeAll
  static void starts() throws Exception {
    land = WebhookEnvironment.onSandbox(directory, 1);
    land.usualRules();
    service = land.serve(2);
    land.namespace("hidden");
    land.permitToList(land.consumer, "bob", "default");
    land.create(REGIONS, "", "shared", "");
    land.create(MACHINES, "default", "vm-own", "shared");
    land.create(MACHINES, "hidden", "vm-secret", "shared");
    land.create(MACHINES, "hidden", "vm-secret-too", "shared");
    await().untilAsserted(() -> assertThat(refusalOf("alice")).contains("vm-secret-too"));
  }

  @Test
  void namesAllToWhoMayListThemAll() throws Exception {
    assertThat(refusalOf("alice"))
        .isEqualTo(
            "cannot delete regions/shared: still referenced by VirtualMachine/default/vm-own,"
                + " VirtualMachine/hidden/vm-secret, VirtualMachine/hidden/vm-secret-too");
  }

  @Test
  void countsThoseInNamespacesThatTheCallerMayNotList() throws Exception {
    assertThat(refusalOf("bob"))
        .isEqualTo(
            "cannot delete regions/shared: still referenced by VirtualMachine/default/vm-own and 2"
                + " more");
  }

  @Test
  void namesNothingToACallerThatMayListNothing() throws Exception {
    assertThat(refusalOf("mallory"))
        .isEqualTo(
            "cannot delete regions/shared: still referenced by 3 objects that are not shown to you");
  }

  /** Once for each namespace, however many dependents are in it. */
  @Test
  void asksOneAccessReviewForEachNamespace() throws Exception {
    var requests = service.getBean(KubeConnection.class).requests();
    long before = requests.count(Method.REVIEW, Outcome.SUCCESS);

    refusalOf("bob");

    assertThat(requests.count(Method.REVIEW, Outcome.SUCCESS)).isEqualTo(before + 2);
  }

  private static String refusalOf(String user) throws Exception {
    return land.review(service, REGIONS, "", "shared", user).text("response", "status", "message");
  }
}
