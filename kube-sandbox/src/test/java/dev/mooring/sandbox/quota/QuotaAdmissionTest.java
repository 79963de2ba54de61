package dev.mooring.sandbox.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.WriteContext.Effect;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuotaAdmissionTest {
  private static final LogicalCluster CLUSTER = new LogicalCluster("one");
  private static final StorageKey QUOTA =
      new StorageKey(ResourceKey.of("", "resourcequotas"), CLUSTER, "default", "few");
  private static final ResourceDefinition CONFIG_MAPS =
      ResourceDefinition.define(
              ResourceType.core("configmaps"),
              ResourceNames.of("configmaps", "ConfigMap"),
              Scope.NAMESPACED)
          .build();

  private final InMemoryResourceStore store = new InMemoryResourceStore();
  private final QuotaAdmission admission = new QuotaAdmission(store, Counting.KUBERNETES);

  private void limit(String hard) {
    store.create(
        QUOTA,
        KubeJson.readObject(
            """
            {"apiVersion": "v1", "kind": "ResourceQuota",
             "metadata": {"name": "few", "namespace": "default"}, "spec": {"hard": %s}}
            """
                .formatted(hard)));
  }

  private static AdmissionRequest create(String namespace, String name, Effect effect) {
    KubeObject object = KubeJson.readObject("{\"metadata\": {\"name\": \"%s\"}}".formatted(name));
    return new AdmissionRequest(
        Operation.CREATE,
        CONFIG_MAPS,
        CLUSTER,
        namespace,
        name,
        "",
        UserInfo.of("ann"),
        Optional.of(object),
        Optional.empty(),
        effect,
        Map.of());
  }

  private void admit(String name) {
    admission.validate(create("default", name, Effect.STORE), _ -> {});
  }

  private Map<String, Long> used() {
    return QuotaController.used(store.get(QUOTA).map(StoredObject::object).orElseThrow());
  }

  @Test
  void countsWhatItAdmitsAndRefusesWhatExceedsALimit() {
    limit("{\"configmaps\": \"2\"}");
    admit("a");
    admit("b");

    assertThat(used()).containsEntry("configmaps", 2L);
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> admit("c"))
        .returns(403, ApiFailure::code)
        .withMessageContaining(
            "exceeded quota: few, requested: configmaps=1, used: configmaps=2, limited: configmaps=2");
    assertThat(used()).containsEntry("configmaps", 2L);
  }

  @Test
  void countsUnderEveryNameThatTheQuotaLimits() {
    limit("{\"configmaps\": \"5\", \"count/configmaps\": \"1\"}");
    admit("a");

    assertThat(used()).containsEntry("configmaps", 1L).containsEntry("count/configmaps", 1L);
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> admit("b"))
        .withMessageContaining("limited: count/configmaps=1");
  }

  @Test
  void countsStoredObjectsThatTheStatusMisses() {
    limit("{\"configmaps\": \"1\"}");
    store.create(
        new StorageKey(ResourceKey.of("", "configmaps"), CLUSTER, "default", "there"),
        KubeJson.readObject("{\"metadata\": {\"name\": \"there\"}}"));

    assertThatExceptionOfType(ApiFailure.class).isThrownBy(() -> admit("a"));
  }

  @Test
  void countsNoDryRunAndNoOtherNamespace() {
    limit("{\"configmaps\": \"1\"}");
    admission.validate(create("default", "a", Effect.DRY_RUN), _ -> {});
    admission.validate(create("other", "a", Effect.STORE), _ -> {});

    assertThat(used()).isEmpty();
  }

  @Test
  void admitsAsManyAtTheSameTimeAsTheLimitSays() throws InterruptedException {
    limit("{\"configmaps\": \"10\"}");
    List<Callable<Boolean>> creates =
        IntStream.range(0, 30)
            .<Callable<Boolean>>mapToObj(i ->
                () -> {
                  try {
                    admit("c" + i);
                    return true;
                  } catch (ApiFailure refused) {
                    return false;
                  }
                })
            .toList();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(threads.invokeAll(creates).stream().filter(done -> done.resultNow()).count())
          .isEqualTo(10);
    }
    assertThat(used()).containsEntry("configmaps", 10L);
  }
}
