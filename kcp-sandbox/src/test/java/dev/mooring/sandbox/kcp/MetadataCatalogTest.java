package dev.mooring.sandbox.kcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StorageKey;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetadataCatalogTest {
  private static final LogicalCluster CLUSTER = new LogicalCluster("root");

  private final InMemoryResourceStore store = new InMemoryResourceStore();
  private final MetadataCatalog catalog = new MetadataCatalog(store);

  @BeforeEach
  void createObjects() {
    create(ResourceKey.of("", "secrets"));
    create(new ResourceKey("example.com", "things", "one"));
    create(new ResourceKey("example.com", "things", "two"));
  }

  private void create(ResourceKey key) {
    store.create(
        new StorageKey(key, CLUSTER, "", "a"),
        KubeObject.of(Map.of("metadata", Map.of("name", "a"))));
  }

  private Optional<ResourceKey> find(String group, String resource) {
    return catalog
        .find(CLUSTER, new ResourceType(group, "v1", resource))
        .map(ResourceDefinition::resourceKey);
  }

  @Test
  void findsAResourceOfEveryIdentity() {
    ResourceKey found = find("example.com", "things").orElseThrow();

    assertThat(store.list(ListScope.everywhere(found)).items())
        .extracting(object -> object.key().resourceKey().identity())
        .containsExactlyInAnyOrder("one", "two");
  }

  @ParameterizedTest
  @CsvSource({"*, *", "*, things", "example.com, *", "'', *", "'', secrets"})
  void findsNothingByAnAsteriskOrInTheCoreGroup(String group, String resource) {
    assertThat(find(group, resource)).isEmpty();
  }
}
