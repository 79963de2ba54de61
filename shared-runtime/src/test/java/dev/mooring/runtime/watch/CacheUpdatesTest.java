package dev.mooring.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class CacheUpdatesTest {
  private static final KubeObject MANAGED =
      KubeJson.readObject(
          """
          {"apiVersion":"v1","kind":"Thing","metadata":{"name":"a","resourceVersion":"1",
           "managedFields":[{"manager":"kubectl","operation":"Update"}]}}\
          """);

  private final CacheUpdates updates =
      new CacheUpdates(
          new ObjectCache(URI.create("https://cluster"), Map.of()),
          UnaryOperator.identity(),
          CacheBudget.UNBOUNDED);

  @Test
  void holdsNoManagedFieldsOfWhatIsWatched() {
    updates.put(MANAGED);

    assertThat(updates.cache().all()).containsExactly(MANAGED.without("metadata", "managedFields"));
  }

  @Test
  void holdsOnceWhatAnUpdateLeavesAsItIs() {
    KubeObject first = MANAGED.with(List.of("x"), "spec", "list");
    updates.put(first);

    updates.put(
        KubeJson.readObject(KubeJson.write(first.with("2", "metadata", "resourceVersion"))));

    KubeObject held = updates.cache().all().getFirst();
    assertThat(held.resourceVersion()).isEqualTo("2");
    assertThat(held.at("spec")).isSameAs(first.at("spec"));
  }

  @Test
  void holdsNoManagedFieldsOfWhatIsListed() {
    updates.replace(List.of(updates.admitted(MANAGED)));

    assertThat(updates.cache().all()).containsExactly(MANAGED.without("metadata", "managedFields"));
  }
}
