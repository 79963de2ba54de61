package dev.mooring.sandbox.conformance;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The wire cases of {@code conformance/} at the kcp of {@code KCP_KUBECONFIG}, which was started
 * with {@code --token-auth-file conformance/tokens.csv}. Cases with client certificates run if
 * {@code KCP_CLIENT_CA} and {@code KCP_CLIENT_CA_KEY} are given.
 */
class ConformanceE2E {
  @TestFactory
  Stream<DynamicTest> realKcp() {
    Optional<String> kubeconfig = environment("KCP_KUBECONFIG");
    if (kubeconfig.isEmpty()) {
      return skipped("no kcp");
    }
    ConformanceRun.assumePython();
    var server = new ArrayList<>(List.of("--kubeconfig", kubeconfig.get(), "--jobs", "5"));
    Optional<String> authority = environment("KCP_CLIENT_CA");
    Optional<String> key = environment("KCP_CLIENT_CA_KEY");
    if (authority.isPresent() && key.isPresent()) {
      server.addAll(List.of("--client-ca", authority.get(), "--client-ca-key", key.get()));
    }
    var run = ConformanceRun.of(server);
    return run.output().contains("does not know the users")
        ? skipped("this kcp was not started with --token-auth-file conformance/tokens.csv")
        : run.tests();
  }

  /** One test that is reported as skipped: a factory that is skipped itself is not reported. */
  private static Stream<DynamicTest> skipped(String reason) {
    return Stream.of(DynamicTest.dynamicTest("kcp", () -> abort("skipped: " + reason)));
  }

  private static Optional<String> environment(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
  }
}
