package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient.Ref;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.harness.Suite;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.signature.ReviewKeys;
import dev.mooring.runtime.signature.ReviewKeys.Unsigned;
import dev.mooring.runtime.signature.SigningKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Certificate, authority and signing key, while they are replaced. */
final class PermissionChecks {
  private static final String NAMESPACE = "dependency-system";

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
            this::rotation),
        new Check(
            "key-rotation",
            "the key that signs reviews is replaced under load without a wrong answer",
            this::keyRotation));
  }

  /** Trust in the new authority first, then its certificate, then distrust of the old one. */
  private void rotation() throws IOException {
    Ref vpc = environment.protectedVpc("rotation");
    Path bundle = environment.caBundle();
    Path serving =
        Path.of(
            suite.argument(
                Program.DEPENDENCY_WEBHOOK, "--mooring.dependency-webhook.tls-cert-dir"));
    Path made = suite.directory().resolve("new-authority");
    Files.createDirectories(made);
    ServingCertificate fresh = ServingCertificate.in(made, Instant.now());
    String authority = Files.readString(fresh.authority());
    try (var deletions = SteadyDeletions.start(environment, vpc)) {
      deletions.await(10);
      replace(bundle, Files.readString(bundle) + authority);
      environment.await(
          "both authorities are trusted", () -> clientConfigs("caBundle").contains(base64(bundle)));
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
          "the old authority is trusted no more",
          () -> clientConfigs("caBundle").contains(base64(bundle)));
      deletions.await(20);
      deletions.requireNoneWrong();
    }
  }

  /** The edit of docs/how-to/install-dependency-protection.md. */
  private void keyRotation() {
    Ref vpc = environment.protectedVpc("keys");
    KubeClient client = environment.dependencies().client();
    try (Replica second = Replica.launch(environment, "webhook-keys-2");
        var deletions = SteadyDeletions.start(environment, vpc)) {
      environment.front().add(second.port());
      environment.await(
          "reviews have to be signed", () -> keys(client).unsigned() instanceof Unsigned.Refused);
      deletions.await(10);
      ReviewKeys before = keys(client);
      SigningKey added = SigningKey.generate();
      write(client, new ReviewKeys(added, Optional.of(before.current()), before.unsigned()));
      environment.await(
          "every URL is signed with the new key",
          () -> clientConfigs("url").stream().allMatch(url -> url.contains(added.id())));
      deletions.await(10);
      write(client, new ReviewKeys(added, Optional.empty(), before.unsigned()));
      deletions.await(20);
      deletions.requireNoneWrong();
    }
  }

  private static ReviewKeys keys(KubeClient client) {
    return ReviewKeys.read(secret(client));
  }

  private static void write(KubeClient client, ReviewKeys keys) {
    client.update(Types.SECRETS, secret(client).with(keys.data(), "data"));
  }

  private static KubeObject secret(KubeClient client) {
    return client.find(Types.SECRETS, NAMESPACE, ReviewKeys.SECRET).orElseThrow();
  }

  private boolean servesNew() {
    Path authority = suite.directory().resolve("new-authority/ca.crt");
    try (HttpProbe probe = HttpProbe.trusting(bytes(authority))) {
      return probe
          .status(URI.create("https://127.0.0.1:" + suite.ports().admission() + "/"))
          .isPresent();
    }
  }

  private List<String> clientConfigs(String field) {
    return environment.clientConfigs(environment.network(), field);
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
