package dev.mooring.cli.check;

import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.harness.Suite;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/** The webhook's certificate and what it is checked with, while they are replaced. */
final class PermissionChecks {
  private final ProtectionEnvironment environment;
  private final Suite suite;

  PermissionChecks(ProtectionEnvironment environment) {
    this.environment = environment;
    this.suite = environment.suite();
  }

  List<Check> all() {
    return List.of(
        new Check(
            "ca-rotation",
            "authority and certificate are replaced under load without a wrong answer",
            this::rotation));
  }

  /** Trust in the new authority first, then its certificate, then distrust of the old one. */
  private void rotation() throws IOException {
    ProtectedFixture.vpc(environment, "rotation");
    Path bundle = environment.caBundle();
    Path serving =
        Path.of(
            suite.argument(
                Program.DEPENDENCY_WEBHOOK, "--mooring.dependency-webhook.tls-cert-dir"));
    Path made = suite.directory().resolve("new-authority");
    Files.createDirectories(made);
    ServingCertificate fresh = ServingCertificate.in(made, Instant.now());
    String authority = Files.readString(fresh.authority());
    try (var deletions = SteadyDeletions.start(environment, "rotation")) {
      deletions.await(10);
      replace(bundle, Files.readString(bundle) + authority);
      environment.await("both authorities are trusted", () -> installed().contains(base64(bundle)));
      deletions.await(10);
      for (String file : List.of("tls.key", "tls.crt")) {
        Path next = serving.resolve(file + ".next");
        Files.copy(made.resolve(file), next, StandardCopyOption.REPLACE_EXISTING);
        Files.move(next, serving.resolve(file), StandardCopyOption.ATOMIC_MOVE);
      }
      environment.await("the new certificate is served", this::servesNew);
      deletions.await(10);
      replace(bundle, authority);
      environment.await(
          "the old authority is trusted no more", () -> installed().contains(base64(bundle)));
      deletions.await(20);
      deletions.requireNoneWrong();
    }
  }

  private boolean servesNew() {
    Path authority = suite.directory().resolve("new-authority/ca.crt");
    try (HttpProbe probe = HttpProbe.trusting(bytes(authority))) {
      return probe
          .status(URI.create("https://127.0.0.1:" + suite.ports().admission() + "/"))
          .isPresent();
    }
  }

  private List<String> installed() {
    return environment.configuration(environment.demo().network()).stream()
        .flatMap(found -> found.list("webhooks").stream())
        .map(webhook -> Trees.text(webhook, "clientConfig", "caBundle"))
        .toList();
  }

  private static String base64(Path file) {
    return Base64.getEncoder().encodeToString(bytes(file));
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void replace(Path file, String content) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, content);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
