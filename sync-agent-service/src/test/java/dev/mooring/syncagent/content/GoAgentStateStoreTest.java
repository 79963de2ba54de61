package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.simulation.ServiceViewModel;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoAgentStateStoreTest {
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final String NAMESPACE = "agents";
  private static final LogicalCluster CLUSTER = new LogicalCluster("2kqm8d0x1yfz3abc");
  private static final StateKey PRIMARY =
      new StateKey("kcp.example.com/v1", "CronTab", new ObjectKey(CLUSTER, "default", "nightly"));
  private static final StateKey RELATED =
      new StateKey("v1", "Secret", new ObjectKey(CLUSTER, "default", "login"));

  /** As the Go agent names them; computed by its rule in another language. */
  private static final String SECRET_NAME = "obj-state-2kqm8d0x1yfz3abc-8724b9a0719e90509b0f";

  private static final String ENTRY = "2d9c172fb6faa6e083e23cbe72553ed8486d7946";
  private static final String RELATED_ENTRY = "23f9888cc0665d9f8130bdff0e60d07a65019756";
  private static final String SERVICE_ENTRY = "fa0d7b494acaaf5b0417abf401af301d668a5251";
  private static final String STATE =
      """
      {"apiVersion":"kcp.example.com/v1","kind":"CronTab",
       "metadata":{"annotations":{"note":"<a&b>"},"labels":{"team":"blue"},
                   "name":"nightly","namespace":"default"},
       "spec":{"image":"cron:1","replicas":3}}
      """;
  private static final String LOGIN =
      """
      {"apiVersion":"v1","kind":"Secret",
       "metadata":{"name":"login","namespace":"default"},"data":{"password":"c2VjcmV0"}}
      """;

  private final ServerModel server = new ServerModel(ServerModel.Faults.NONE);
  private final KubeClient service = server.client(LogicalCluster.NONE);
  private final ServiceViewModel secrets =
      new ServiceViewModel(server, SECRETS, _ -> true, _ -> "");
  private final GoAgentStateStore states = new GoAgentStateStore(service, secrets, NAMESPACE);

  @BeforeEach
  void hasANamespace() {
    service.create(
        ResourceType.core("namespaces"),
        KubeObject.of(Map.of("metadata", Map.of("name", NAMESPACE))));
  }

  @Test
  void readsContentAsOfTheSource() {
    left(Map.of(ENTRY, STATE));

    assertThat(states.find(PRIMARY, PRIMARY))
        .contains(
            Map.of(
                "metadata",
                Map.of("annotations", Map.of("note", "<a&b>"), "labels", Map.of("team", "blue")),
                "spec",
                Map.of("image", "cron:1", "replicas", 3L)));
  }

  @Test
  void readsARelatedObjectsStateFromItsPrimarysSecret() {
    left(Map.of(ENTRY, STATE, RELATED_ENTRY, LOGIN));

    assertThat(states.find(PRIMARY, RELATED))
        .contains(Map.of("data", Map.of("password", "c2VjcmV0")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"apiVersion\":\"v1\",\"kind\":\"CronTab\","
            + "\"metadata\":{\"name\":\"nightly\",\"namespace\":\"default\"}}",
        "{\"apiVersion\":\"kcp.example.com/v1\",\"kind\":\"Secret\","
            + "\"metadata\":{\"name\":\"nightly\",\"namespace\":\"default\"}}",
        "{\"apiVersion\":\"kcp.example.com/v1\",\"kind\":\"CronTab\","
            + "\"metadata\":{\"name\":\"nightly\",\"namespace\":\"other\"}}",
        "{\"apiVersion\":\"kcp.example.com/v1\",\"kind\":\"CronTab\","
            + "\"metadata\":{\"name\":\"daily\",\"namespace\":\"default\"}}",
        "{\"apiVersion\":",
        "[]",
        "7"
      })
  void doesNotTrustWhatIsNotTheSources(String entry) {
    left(Map.of(ENTRY, entry));

    assertThat(states.find(PRIMARY, PRIMARY)).isEmpty();
  }

  @Test
  void knowsNothingWithoutASecret() {
    assertThat(states.find(PRIMARY, PRIMARY)).isEmpty();

    left(Map.of("other", STATE));

    assertThat(states.find(PRIMARY, PRIMARY)).isEmpty();
  }

  @Test
  void removesTheSecretWithItsPrimaryOnly() {
    left(Map.of(ENTRY, STATE));
    assertThat(states.isKeptApart(PRIMARY)).isTrue();
    assertThat(states.isKeptApart(RELATED)).isFalse();

    states.drop(RELATED);
    assertThat(server.all(SECRETS)).hasSize(1);

    states.drop(PRIMARY);
    assertThat(server.all(SECRETS)).isEmpty();

    states.drop(PRIMARY);
    assertThat(server.all(SECRETS)).isEmpty();
  }

  @Test
  void tellsWhoseStatesASecretKeeps() {
    left(Map.of(RELATED_ENTRY, LOGIN, ENTRY, STATE));
    KubeObject secret = server.all(SECRETS).values().iterator().next();

    assertThat(states.sourceOf(secret, type("CronTab"))).contains(PRIMARY.source());
    assertThat(states.sourceOf(secret, type("Other"))).isEmpty();
    assertThat(states.sourceOf(secret.without("data", ENTRY), type("CronTab"))).isEmpty();
    assertThat(states.sourceOf(secret.with("e30=", "data", ENTRY), type("CronTab"))).isEmpty();
    assertThat(states.sourceOf(secret.without("metadata", "labels"), type("CronTab"))).isEmpty();
  }

  @Test
  void clearsNothingAwayThatHasChangedSinceItWasSeen() {
    left(Map.of(ENTRY, STATE));
    service.patch(SECRETS, NAMESPACE, SECRET_NAME, Map.of("data", Map.of("more", "e30=")));

    assertThatThrownBy(() -> states.clearAway(PRIMARY))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> assertThat(failure.kind()).isEqualTo(KubeFailure.Kind.CONFLICT));
    assertThat(server.all(SECRETS)).hasSize(1);

    secrets.cache().relist();
    states.clearAway(PRIMARY);
    assertThat(server.all(SECRETS)).isEmpty();
  }

  private static ApiType type(String kind) {
    return new ApiType(
        new ResourceType("kcp.example.com", "v1", "crontabs"), kind, Scope.NAMESPACED);
  }

  @Test
  void removesTheEntryOfOneCopyAndLeavesTheOthers() {
    left(Map.of(ENTRY, STATE, RELATED_ENTRY, LOGIN));

    states.drop(PRIMARY, RELATED);
    secrets.cache().relist();

    assertThat(states.find(PRIMARY, RELATED)).isEmpty();
    assertThat(states.find(PRIMARY, PRIMARY)).isPresent();
  }

  @Test
  void findsObjectsOfTheServiceClusterInNoWorkspace() {
    left(Map.of(SERVICE_ENTRY, LOGIN));
    var onService =
        new StateKey("v1", "Secret", new ObjectKey(LogicalCluster.NONE, "default", "login"));

    assertThat(states.find(PRIMARY, onService)).isPresent();
    assertThat(states.find(PRIMARY, RELATED)).isEmpty();
  }

  private void left(Map<String, String> entries) {
    var data = new HashMap<String, Object>();
    entries.forEach((name, state) ->
        data.put(name, Base64.getEncoder().encodeToString(state.getBytes(StandardCharsets.UTF_8))));
    service.create(
        SECRETS,
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of(
                    "name",
                    SECRET_NAME,
                    "namespace",
                    NAMESPACE,
                    "labels",
                    Map.of(SyncMarks.SOURCE_CLUSTER, CLUSTER.name())),
                "data",
                data)));
    secrets.cache().relist();
  }
}
