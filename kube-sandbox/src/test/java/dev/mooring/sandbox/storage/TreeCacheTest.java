package dev.mooring.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Stored objects whose trees come and go. */
class TreeCacheTest extends ResourceStoreContract {
  private static final int FOR_A_FEW = 8_000;
  private static final StorageKey KEY =
      new StorageKey(ResourceKey.of("example.com", "things"), new LogicalCluster("one"), "n", "a");

  /** The contract holds also where almost no object keeps its tree. */
  @Override
  ResourceStore store(int window) {
    return new InMemoryResourceStore(
        new WatchLog(window, Long.MAX_VALUE, 1, 0), Optional.empty(), new TreeCache(FOR_A_FEW));
  }

  private static KubeObject thing(Object spec) {
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("name", "a");
    metadata.put("namespace", "n");
    var tree = new LinkedHashMap<String, Object>();
    tree.put("apiVersion", "example.com/v1");
    tree.put("kind", "Thing");
    tree.put("metadata", metadata);
    tree.put("spec", spec);
    return KubeObject.of(tree);
  }

  private static StorageKey numbered(int number) {
    return new StorageKey(KEY.resourceKey(), KEY.cluster(), "n", "a" + number);
  }

  @Test
  void givesBackWhatWasStoredOnceItsTreeIsGone() {
    ResourceStore store = store(10_000);
    var stored = new ArrayList<StoredObject>();
    for (int i = 0; i < 200; i++) {
      stored.add(store.create(numbered(i), thing(Map.of("number", i, "text", "ümläut \u2028"))));
    }

    for (int i = 0; i < 200; i++) {
      KubeObject object = stored.get(i).object();
      assertThat(object.at("spec", "number")).isEqualTo((long) i);
      assertThat(object.text("spec", "text")).isEqualTo("ümläut \u2028");
      assertThat(object.resourceVersion()).isEqualTo(Long.toString(stored.get(i).version()));
      assertThat(KubeJson.readObject(stored.get(i).json())).isEqualTo(object);
    }
  }

  @Test
  void readsLabelsWithAndWithoutItsTree() {
    ResourceStore store = store(10_000);
    KubeObject labelled = thing("x").with(Map.of("a", "1", "b", "2"), "metadata", "labels");
    StoredObject with = store.create(KEY, labelled);
    StoredObject without = store.create(numbered(0), thing(Map.of("labels", Map.of("a", "3"))));
    assertThat(with.labels()).isEqualTo(Map.of("a", "1", "b", "2"));
    for (int i = 1; i < 50; i++) {
      store.create(numbered(i), thing("x"));
    }

    assertThat(with.labels()).isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(without.labels()).isEmpty();
  }

  @Test
  void forgetsTreesThatDoNotFit() {
    ResourceStore store = store(10_000);
    StoredObject first = store.create(KEY, thing(Map.of("number", 1)));
    KubeObject tree = first.object();
    for (int i = 0; i < 50; i++) {
      store.create(numbered(i), thing(Map.of("number", i)));
    }

    assertThat(first.object()).isEqualTo(tree).isNotSameAs(tree);
    assertThat(first.object()).isSameAs(first.object());
  }

  @Test
  void holdsNothingThatItsWriterMayStillChange() {
    var lines = new ArrayList<Object>(List.of("as it was"));
    LinkedHashMap<String, Object> spec = new LinkedHashMap<>();
    spec.put("lines", lines);
    ResourceStore store = new InMemoryResourceStore();
    StoredObject stored = store.create(KEY, thing(Trees.owned(spec)));

    lines.add("planted");

    assertThat(stored.object().list("spec", "lines")).containsExactly("as it was");
    assertThatThrownBy(() -> stored.object().list("spec", "lines").add("planted"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> stored.object().map("spec").put("more", "planted"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void writesNothingForANumberThatReadsTheSame() {
    ResourceStore store = store(10_000);
    StoredObject stored = store.create(KEY, thing(Map.of("size", 1.0, "part", 0.5)));

    StoredObject again = store.update(stored, thing(Map.of("size", 1.0, "part", 0.5)));

    assertThat(again).isSameAs(stored);
    assertThat(stored.object().at("spec", "size")).isEqualTo(1L);
    assertThat(stored.object().at("spec", "part")).isEqualTo(0.5);
  }

  @Test
  void isReadByManyAtOnce() throws Exception {
    ResourceStore store = store(10_000);
    var stored = new ArrayList<StoredObject>();
    for (int i = 0; i < 20; i++) {
      stored.add(store.create(numbered(i), thing(Map.of("number", i))));
    }
    Callable<Void> reader =
        () -> {
          for (int round = 0; round < 500; round++) {
            int number = round % stored.size();
            assertThat(stored.get(number).object().at("spec", "number")).isEqualTo((long) number);
            assertThat(stored.get(number).json()).isNotEmpty();
          }
          return null;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<Void> each : threads.invokeAll(List.of(reader, reader, reader, reader))) {
        each.get();
      }
    }
  }
}
