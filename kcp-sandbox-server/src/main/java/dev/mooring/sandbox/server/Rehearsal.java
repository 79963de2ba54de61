package dev.mooring.sandbox.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A run of the program for the JVM to learn from: it starts, is asked what its users ask most, and
 * ends. An image's AOT cache that is made in it holds the classes of these requests, and which
 * methods to compile first.
 */
final class Rehearsal {
  private static final int OBJECTS = 1_000;
  private static final int LISTS = 40;
  private static final int CONSUMERS = 20;

  private Rehearsal() {}

  /**
   * @param arguments a directory that does not exist yet
   */
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    Thread.ofPlatform()
        .start(() ->
            SandboxProgram.main(
                new String[] {"start", "--root-directory", root.toString(), "--secure-port", "0"}));
    Path kubeconfig = root.resolve("admin.kubeconfig");
    while (!Files.isRegularFile(kubeconfig)) {
      Thread.sleep(10);
    }
    try {
      Requests requests = Requests.by(kubeconfig);
      requests.sendAll(text("types"), 1);
      requests.sendAll(text("objects"), OBJECTS);
      requests.sendAll(text("lists"), LISTS);
      requests.sendAll(text("consumers"), CONSUMERS);
    } catch (RuntimeException e) {
      System.err.println(e.getMessage());
      // Without the cache, which a run that ends in order writes.
      Runtime.getRuntime().halt(1);
    }
    System.exit(0);
  }

  private static String text(String file) throws IOException {
    try (InputStream stream = Rehearsal.class.getResourceAsStream("/rehearsal/" + file)) {
      return new String(Objects.requireNonNull(stream, file).readAllBytes(), UTF_8);
    }
  }
}
