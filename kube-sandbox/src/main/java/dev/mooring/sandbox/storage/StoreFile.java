package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * The objects of one store as JSON in a file of H2's MVStore. Every write is a commit of its own in
 * the file, so a process that is killed loses none and leaves none by half; a machine that loses
 * power may lose the last ones.
 */
final class StoreFile implements AutoCloseable {
  private static final String VERSION = "version";

  /** Of a page: every commit writes the whole page that the object is in. */
  private static final int PAGE_BYTES = 4 << 10;

  private static final int CACHE_MIB = 4;

  /** How often space is reclaimed, and how much is written for it at most. */
  private static final int WRITES_BETWEEN = 4_096;

  private static final int RECLAIM_BYTES = 4 << 20;
  private static final int FILL_PERCENT = 50;

  private final Path file;
  private final MVStore store;
  private final MVMap<String, byte[]> objects;
  private final MVMap<String, Long> versions;
  private long writes;

  private StoreFile(Path file, MVStore store) {
    this.file = file;
    this.store = store;
    objects = store.openMap("objects");
    versions = store.openMap("versions");
  }

  static StoreFile open(Path file) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      MVStore store =
          new MVStore.Builder()
              .fileName(file.toString())
              .autoCommitDisabled()
              .pageSplitSize(PAGE_BYTES)
              .cacheSize(CACHE_MIB)
              .open();
      // Longer helps against a loss of power alone.
      store.setRetentionTime(0);
      return new StoreFile(file, store);
    } catch (MVStoreException e) {
      throw new UncheckedIOException(
          "cannot open %s: another process has it open, or it is not a sandbox's data (%s)"
              .formatted(file, e.getMessage()),
          new IOException(e));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make the directory of " + file, e);
    }
  }

  /** Of the last write. */
  Optional<Long> version() {
    return Optional.ofNullable(versions.get(VERSION));
  }

  void read(TreeCache trees, Consumer<StoredObject> reader) {
    objects.forEach((key, json) -> reader.accept(stored(key, json, trees)));
  }

  /**
   * The event is kept when this returns, even if the process is killed then.
   *
   * @throws UncheckedIOException if it is not; the write must not happen then
   */
  void keep(StoreEvent event) {
    StoredObject object = event.object();
    try {
      switch (event) {
        case StoreEvent.Added _, StoreEvent.Modified _ ->
            objects.put(text(object.key()), object.json());
        case StoreEvent.Deleted _ -> objects.remove(text(object.key()));
      }
      versions.put(VERSION, event.version());
      store.commit();
      if (++writes % WRITES_BETWEEN == 0) {
        store.compact(FILL_PERCENT, RECLAIM_BYTES);
      }
    } catch (MVStoreException e) {
      throw new UncheckedIOException(
          "cannot keep %s in %s: %s. All writes fail until the sandbox is started again, with room on the disk"
              .formatted(object.key(), file, e.getMessage()),
          new IOException(e));
    }
  }

  /** False once an event could not be kept: none can be from then on. */
  boolean isOpen() {
    return !store.isClosed();
  }

  @Override
  public void close() {
    store.close();
  }

  /** No part can hold the separator. */
  private static String text(StorageKey key) {
    ResourceKey resource = key.resourceKey();
    return String.join(
        "\0",
        resource.group(),
        resource.resource(),
        resource.identity(),
        key.cluster().name(),
        key.namespace(),
        key.name());
  }

  private static StoredObject stored(String text, byte[] json, TreeCache trees) {
    String[] parts = text.split("\0", -1);
    var key =
        new StorageKey(
            new ResourceKey(parts[0], parts[1], parts[2]),
            new LogicalCluster(parts[3]),
            parts[4],
            parts[5]);
    long version =
        Long.parseLong(Trees.textOrEmpty(KubeJson.readAt(json, "metadata", "resourceVersion")));
    return new StoredObject(key, version, json, trees);
  }
}
