package dev.mooring.cli.check;

import dev.mooring.cli.demo.Types;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.harness.Suite;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The webhook's certificate and what it is checked with, while they are replaced. */
final class PermissionChecks {
  private static final String NAMESPACE = "dependency-system";
  private static final String AUTHORITIES = "dependency-webhook-ca";

  private final ProtectionEnvironment environment;
  private final Suite suite;
  private boolean selfManaged;

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
            "self-managed-ca",
            "the webhook shows the certificate that the controller keeps in kcp",
            this::selfManagedCa),
        new Check(
            "self-managed-rotation",
            "the controller replaces its own authority under load without a wrong answer",
            this::selfManagedRotation));
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

  private void selfManagedCa() {
    manageItself();
    ProtectedFixture.vpc(environment, "self-managed");
  }

  /** No file has the authority or the certificate. */
  private void manageItself() {
    if (selfManaged) {
      return;
    }
    ProtectedFixture.vpc(environment, "unmanaged");
    List<String> before = installed();
    suite.service(Program.DEPENDENCY_CONTROLLER).close();
    suite.service(Program.DEPENDENCY_WEBHOOK).close();
    // Where deletions are to go on for long, so is the rotation.
    Duration pause = environment.load().dividedBy(6);
    suite.relaunch(
        Program.DEPENDENCY_CONTROLLER,
        Map.of(
            "--mooring.dependency-controller.webhook-ca", "SELF_MANAGED",
            "--mooring.dependency-controller.ca-spread", pause.plusSeconds(1).toMillis() + "ms",
            "--mooring.dependency-controller.ca-reload", pause.plusSeconds(8).toMillis() + "ms"));
    suite.relaunch(
        Program.DEPENDENCY_WEBHOOK,
        Map.of(
            "--mooring.dependency-webhook.certificate", "SELF_MANAGED",
            "--mooring.dependency-webhook.certificate-check-period", "1s"));
    environment.awaitServices();
    environment.await(
        "kcp believes the webhook's new certificate",
        () ->
            environment
                .refusal(Types.VPCS, "default", "unmanaged")
                .filter(message -> message.contains("VirtualMachine/unmanaged-user"))
                .isPresent());
    HarnessFailure.unless(
        installed().stream().noneMatch(before::contains), "the authority is the one of the file");
    selfManaged = true;
  }

  /** An authority whose key is gone is replaced as one that ends soon, but at once. */
  private void selfManagedRotation() {
    manageItself();
    ProtectedFixture.vpc(environment, "renewed");
    String old = authority().orElseThrow();
    try (Replica second = Replica.launch(environment, "webhook-self-managed-2");
        var deletions = SteadyDeletions.start(environment, "renewed")) {
      environment.front().add(second.port());
      deletions.await(20);
      takeAwayTheKey();
      environment.await(
          "another authority signs", () -> authority().filter(now -> !now.equals(old)).isPresent());
      environment.await(
          "the old authority is trusted no more",
          () -> installed().stream().noneMatch(bundle -> decoded(bundle).contains(old)));
      deletions.await(20);
      deletions.requireNoneWrong();
    }
  }

  private void takeAwayTheKey() {
    var client = environment.demo().dependencies().client();
    KubeObject secret = client.find(Types.SECRETS, NAMESPACE, AUTHORITIES).orElseThrow();
    client.update(Types.SECRETS, secret.without("data", "ca.key"));
  }

  /** The certificate of the authority that signs, in PEM. */
  private Optional<String> authority() {
    return environment
        .demo()
        .dependencies()
        .client()
        .find(Types.SECRETS, NAMESPACE, AUTHORITIES)
        .map(secret -> decoded(secret.text("data", "ca.crt")));
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

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
  }
}
