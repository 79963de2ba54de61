package dev.mooring.sandbox.kube;

import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ResourceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a sandbox keeps its objects, and the URL that they name. */
public record DataDirectory(Path directory) {
  private static final String SERVER = "server";

  /**
   * @param shards how many the sandbox starts with
   * @throws IllegalStateException if the objects are those of another server
   * @throws UncheckedIOException if they cannot be read or written
   */
  public void requireSame(URI url, int shards) {
    Path file = directory.resolve(SERVER);
    String server = url + " with " + shards + (shards == 1 ? " shard" : " shards");
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(directory);
        Files.writeString(file, server + "\n");
      }
      String kept = Files.readString(file).strip();
      if (!kept.equals(server)) {
        throw new IllegalStateException(
            "%s has the objects of %s, not of %s: start with that address, port and number of"
                    .formatted(directory, kept, server)
                + " shards, or with another data directory");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep objects in " + directory, e);
    }
  }

  /**
   * @param version before the first write, if nothing is kept yet
   */
  ResourceStore store(String shard, long version) {
    return InMemoryResourceStore.in(directory.resolve(shard + ".mv.db"), version);
  }
}
