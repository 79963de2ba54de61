package dev.mooring.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreFileTest extends ResourceStoreContract {
  @Override
  ResourceStore store(int window) {
    try {
      return InMemoryResourceStore.in(
          Files.createTempDirectory("store").resolve("objects"), 1, window);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void hasAfterARestartWhatWasWritten(@TempDir Path directory) {
    Path file = directory.resolve("objects");
    StoreList before;
    try (var store = InMemoryResourceStore.in(file, 1)) {
      StoredObject read = store.create(at(ONE, "n", "a"), thing("a", "red"));
      store.update(read, thing("a", "blue"));
      StoredObject gone = store.create(at(TWO, "", "b"), thing("b", "red"));
      store.create(at(TWO, "", "c"), thing("c", "green"));
      store.delete(gone, gone.object());
      before = store.list(ListScope.everywhere(THINGS));
    }

    try (var store = InMemoryResourceStore.in(file, 1)) {
      StoreList after = store.list(ListScope.everywhere(THINGS));
      assertThat(after.version()).isEqualTo(before.version());
      assertThat(described(after)).isEqualTo(described(before)).hasSize(2);
      assertThat(store.create(at(ONE, "n", "d"), thing("d", "red")).version())
          .isEqualTo(before.version() + 1);
    }
  }

  private static List<String> described(StoreList list) {
    return list.items().stream().map(object -> object + " " + object.object().tree()).toList();
  }

  @Test
  void hasNoEventsOfTheTimeBeforeTheRestart(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("objects");
    long first;
    long last;
    try (var store = InMemoryResourceStore.in(file, 1)) {
      first = store.create(at(ONE, "n", "a"), thing("a", "red")).version();
      last = store.create(at(ONE, "n", "b"), thing("b", "red")).version();
    }

    try (var store = InMemoryResourceStore.in(file, 1)) {
      ListScope all = ListScope.everywhere(THINGS);
      assertThatExceptionOfType(VersionExpired.class).isThrownBy(() -> store.watch(all, first));
      try (StoreWatch watch = store.watch(all, last)) {
        StoredObject next = store.create(at(ONE, "n", "c"), thing("c", "red"));
        assertThat(drained(watch)).containsExactly(new StoreEvent.Added(next));
      }
    }
  }

  @Test
  void isOpenOnce(@TempDir Path directory) {
    Path file = directory.resolve("objects");
    try (var _ = InMemoryResourceStore.in(file, 1)) {
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(() -> InMemoryResourceStore.in(file, 1))
          .withMessageContaining("another process has it open");
    }
  }

  @Test
  void doesNotStoreWhatCannotBeKept(@TempDir Path directory) {
    var store = InMemoryResourceStore.in(directory.resolve("objects"), 1);
    StoredObject kept = store.create(at(ONE, "n", "a"), thing("a", "red"));
    assertThat(store.isWritable()).isTrue();
    store.close();

    assertThat(store.isWritable()).isFalse();
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> store.create(at(ONE, "n", "b"), thing("b", "red")))
        .withMessageContaining("cannot keep things.example.com one|n/b");
    assertThat(store.list(ListScope.everywhere(THINGS)).items()).containsExactly(kept);
    assertThat(store.version()).isEqualTo(kept.version());
  }

  @Test
  void reclaimsSpace(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("objects");
    int writes = 10_000;
    try (var store = InMemoryResourceStore.in(file, 1)) {
      StoredObject object = store.create(at(ONE, "n", "a"), thing("a", "red"));
      for (int i = 0; i < writes; i++) {
        object = store.update(object, thing("a", "colour " + i));
      }
      // Every commit takes 4 KiB or more.
      assertThat(Files.size(file)).isLessThan(writes * 4096L / 4);
    }
  }
}
