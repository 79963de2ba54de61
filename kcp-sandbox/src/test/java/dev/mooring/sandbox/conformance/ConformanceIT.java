package dev.mooring.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The wire cases of {@code conformance/}, each a test, at a sandbox with one shard and at the front
 * proxy of a sandbox with two, or as many as {@code KCP_SHARDS} says. Cases that wait for something
 * get three times as long as on kcp, for a busy machine.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConformanceIT {
  private static final List<String> ONE_SHARD_ONLY =
      List.of("needs a server that is its only shard");
  private static final List<String> SEVERAL_SHARDS_ONLY =
      List.of("needs --front-proxy or --through-front-proxy");

  private static final int SHARDS =
      Math.max(2, Integer.parseInt(System.getenv().getOrDefault("KCP_SHARDS", "2")));

  private Path directory;
  private Path clients;
  private @Nullable ConformanceRun single;
  private @Nullable ConformanceRun sharded;

  @BeforeAll
  void make(@TempDir Path directory) {
    ConformanceRun.assumePython();
    this.directory = directory;
    clients = directory.resolve("clients");
    CertificateAuthority.in(clients, Instant.now());
  }

  private ConformanceRun single() {
    if (single == null) {
      single = run(directory.resolve("single"), clients, 1);
    }
    return single;
  }

  private ConformanceRun sharded() {
    if (sharded == null) {
      sharded = run(directory.resolve("sharded"), clients, SHARDS);
    }
    return sharded;
  }

  private static ConformanceRun run(Path directory, Path clients, int shards) {
    ServerOptions options =
        ServerOptions.in(directory)
            .withShards(shards)
            .withTokenFile(ConformanceRun.DIRECTORY.resolve("tokens.csv"))
            .withClientCaFile(clients.resolve("ca.crt"));
    try (var sandbox = KcpSandbox.start(options)) {
      var server =
          new ArrayList<>(
              List.of(
                  "--kubeconfig",
                  sandbox.kubeconfigFile().toString(),
                  "--client-ca",
                  clients.resolve("ca.crt").toString(),
                  "--client-ca-key",
                  clients.resolve("ca.key").toString(),
                  // A case spends most of its time waiting.
                  "--jobs",
                  "8",
                  "--slow",
                  "3"));
      if (shards > 1) {
        server.add("--through-front-proxy");
      }
      return ConformanceRun.of(server);
    }
  }

  @TestFactory
  Stream<DynamicTest> oneShard() {
    return single().tests(SEVERAL_SHARDS_ONLY);
  }

  @Tag("full")
  @TestFactory
  Stream<DynamicTest> severalShards() {
    return sharded().tests(ONE_SHARD_ONLY);
  }

  @Tag("full")
  @Test
  void everyCaseRunsOnASandbox() {
    assertThat(ConformanceRun.cases())
        .isNotEmpty()
        .allMatch(name -> single().ran(name) || sharded().ran(name));
  }
}
