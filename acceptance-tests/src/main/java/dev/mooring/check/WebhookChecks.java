package dev.mooring.check;

import dev.mooring.demo.Types;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServiceProcess;
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
import java.util.Map;

/** The webhook while it is away, replaced, or started as the Go program was (W8, flags). */
final class WebhookChecks {
  private static final String SKIP = "dependencies.opendefense.cloud/skip-protection";

  private final Ground ground;
  private final Suite suite;
  private boolean byFlags;

  WebhookChecks(Ground ground) {
    this.ground = ground;
    this.suite = ground.suite();
  }

  List<Check> all() {
    return List.of(
        new Check(
            "W8",
            "while the webhook is away only what is annotated can be deleted",
            this::webhookAway),
        new Check(
            "flags-webhook", "the webhook starts by the Go webhook's flags", this::webhookFlags),
        new Check(
            "rolling",
            "replicas are replaced under load without a wrong answer",
            this::rollingRestart),
        new Check(
            "ca-rotation",
            "authority and certificate are replaced under load without a wrong answer",
            this::rotation),
        new Check(
            "self-managed-ca",
            "the webhook shows the certificate that the controller keeps in kcp",
            this::selfManagedCa));
  }

  private void webhookAway() {
    keep("w8");
    keep("w8-skipped");
    suite.service(Program.DEPENDENCY_WEBHOOK).kill();
    try {
      ground.requireRefused(Types.VPCS, "default", "w8", "failed calling webhook");
      ground
          .consumer()
          .client()
          .patch(
              Types.VPCS,
              "default",
              "w8-skipped",
              Map.of("metadata", Map.of("annotations", Map.of(SKIP, "true"))));
      ground.requireDeletable(Types.VPCS, "default", "w8-skipped");
    } finally {
      startByFlags();
    }
    suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
    ground.requireRefused(
        Types.VPCS, "default", "w8", "still referenced by VirtualMachine/w8-user");
  }

  private void webhookFlags() {
    if (!byFlags) {
      suite.service(Program.DEPENDENCY_WEBHOOK).close();
      startByFlags();
    }
    ground.awaitProbes(Program.DEPENDENCY_WEBHOOK, suite.ports().webhook());
    keep("flags-webhook");
  }

  /** As the Go webhook is started; it must have ended. */
  private void startByFlags() {
    suite.relaunchOnlyWith(
        Program.DEPENDENCY_WEBHOOK,
        List.of(
            "--kubeconfig="
                + suite.argument(
                    Program.DEPENDENCY_WEBHOOK, "--mooring.dependency-webhook.kubeconfig"),
            "--api-export-name=dependencies.opendefense.cloud",
            "--webhook-port=" + suite.ports().admission(),
            "--tls-cert-dir="
                + suite.argument(
                    Program.DEPENDENCY_WEBHOOK, "--mooring.dependency-webhook.tls-cert-dir"),
            "--health-probe-bind-address=127.0.0.1:" + suite.ports().webhook(),
            "--zap-log-level=info"));
    byFlags = true;
  }

  /** Two replicas behind one address; each is drained in turn, one of them for a new one. */
  private void rollingRestart() {
    keep("rolling");
    Balancer front = ground.front();
    Replica second = replica("webhook-2");
    try (var deletions = SteadyDeletions.start(ground, "rolling")) {
      front.add(second.port());
      deletions.await(20);
      front.remove(suite.ports().admission());
      suite.service(Program.DEPENDENCY_WEBHOOK).close();
      deletions.await(20);
      suite.relaunch(Program.DEPENDENCY_WEBHOOK);
      byFlags = false;
      suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
      front.add(suite.ports().admission());
      front.remove(second.port());
      second.process().close();
      deletions.await(20);
      deletions.requireNoneWrong();
    } finally {
      front.remove(second.port());
      second.process().close();
      if (!suite.service(Program.DEPENDENCY_WEBHOOK).isAlive()) {
        suite.relaunch(Program.DEPENDENCY_WEBHOOK);
        suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
        front.add(suite.ports().admission());
      }
    }
  }

  /** A replica that is ready. */
  private record Replica(ServiceProcess process, int port) {}

  private Replica replica(String name) {
    PortPlan free = PortPlan.free();
    ServiceProcess process =
        suite.launchReplica(
            Program.DEPENDENCY_WEBHOOK,
            name,
            Map.of(
                "--server.port",
                Integer.toString(free.admission()),
                "--management.server.port",
                Integer.toString(free.webhook())));
    URI ready = URI.create("http://127.0.0.1:" + free.webhook() + "/actuator/health/readiness");
    try (HttpProbe probe = HttpProbe.plain()) {
      ground.await(
          name + " is ready",
          () -> {
            process.requireAlive();
            return probe.status(ready).filter(code -> code == 200).isPresent();
          });
    }
    return new Replica(process, free.admission());
  }

  /** Trust in the new authority first, then its certificate, then distrust of the old one. */
  private void rotation() throws IOException {
    keep("rotation");
    Path bundle = ground.caBundle();
    Path serving =
        Path.of(
            suite.argument(
                Program.DEPENDENCY_WEBHOOK, "--mooring.dependency-webhook.tls-cert-dir"));
    Path made = suite.directory().resolve("new-authority");
    Files.createDirectories(made);
    ServingCertificate fresh = ServingCertificate.in(made, Instant.now());
    String authority = Files.readString(fresh.authority());
    try (var deletions = SteadyDeletions.start(ground, "rotation")) {
      deletions.await(10);
      replace(bundle, Files.readString(bundle) + authority);
      ground.await("both authorities are trusted", () -> installed().contains(base64(bundle)));
      deletions.await(10);
      for (String file : List.of("tls.key", "tls.crt")) {
        Path next = serving.resolve(file + ".next");
        Files.copy(made.resolve(file), next, StandardCopyOption.REPLACE_EXISTING);
        Files.move(next, serving.resolve(file), StandardCopyOption.ATOMIC_MOVE);
      }
      ground.await("the new certificate is served", this::servesNew);
      deletions.await(10);
      replace(bundle, authority);
      ground.await(
          "the old authority is trusted no more", () -> installed().contains(base64(bundle)));
      deletions.await(20);
      deletions.requireNoneWrong();
    }
  }

  /** No file has the authority or the certificate. */
  private void selfManagedCa() {
    keep("self-managed");
    List<String> before = installed();
    suite.service(Program.DEPENDENCY_CONTROLLER).close();
    suite.service(Program.DEPENDENCY_WEBHOOK).close();
    suite.relaunch(
        Program.DEPENDENCY_CONTROLLER,
        Map.of("--mooring.dependency-controller.webhook-ca", "SELF_MANAGED"));
    suite.relaunch(
        Program.DEPENDENCY_WEBHOOK,
        Map.of(
            "--mooring.dependency-webhook.certificate", "SELF_MANAGED",
            "--mooring.dependency-webhook.certificate-check-period", "1s"));
    ground.awaitServices();
    ground.await(
        "kcp believes the webhook's new certificate",
        () ->
            ground
                .refusal(Types.VPCS, "default", "self-managed")
                .filter(message -> message.contains("VirtualMachine/self-managed-user"))
                .isPresent());
    CheckFailure.unless(
        installed().stream().noneMatch(before::contains), "the authority is the one of the file");
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
    return ground.configuration(ground.stage().network()).stream()
        .flatMap(found -> found.list("webhooks").stream())
        .map(webhook -> Trees.textOrEmpty(Trees.at(webhook, "clientConfig", "caBundle")))
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

  /** A VPC that a machine refers to. */
  private void keep(String name) {
    // A check before this one may have failed while a service was away.
    ground.awaitServices();
    ground.create(ground.consumer(), Types.VPCS, Samples.vpc("default", name));
    ground.create(
        ground.consumer(),
        Types.VIRTUAL_MACHINES,
        Samples.machine("default", name + "-user", name));
    ground.requireRefused(Types.VPCS, "default", name, "still referenced by");
  }
}
