package dev.mooring.cli.demo;

import dev.mooring.cli.live.Types;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands for what a service owner runs on the service cluster: issues every Certificate there, by
 * delivering its Secret and then saying so in its status. Knows nothing of kcp. Looks at the
 * cluster four times a second, which is plenty for a demo.
 */
public final class CertificateOperator implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final String LABEL = "pki.example.corp/certificate";

  private final KubeClient cluster;
  private final Path directory;
  private final Thread worker;
  private volatile boolean closed;

  /**
   * @param directory of the issuing authority
   */
  public CertificateOperator(KubeClient cluster, Path directory) {
    this.cluster = cluster;
    this.directory = directory;
    this.worker = Thread.ofVirtual().name("certificate-operator").start(this::work);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(worker);
    try {
      worker.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void work() {
    while (!closed) {
      try {
        issueAll();
      } catch (KubeFailure tryAgain) {
        // The CRD is not there yet, the cluster is being restarted, or another writer was faster.
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private void issueAll() {
    Set<String> wanted = new HashSet<>();
    for (KubeObject certificate : cluster.list(Types.SERVICE_CERTIFICATES, ListQuery.ALL).items()) {
      wanted.add(secretOf(certificate));
      if (!certificate.deleting() && !issued(certificate)) {
        issue(certificate);
      }
    }
    removeOrphans(wanted);
  }

  private boolean issued(KubeObject certificate) {
    return certificate.hasCondition("Ready")
        && Long.valueOf(certificate.generation())
            .equals(certificate.at("status", "observedGeneration"));
  }

  private void issue(KubeObject certificate) {
    List<String> names =
        certificate.list("spec", "dnsNames").stream().map(String.class::cast).toList();
    Instant now = Instant.now();
    forgetTheLastOne();
    X509Certificate issued =
        CertificateAuthority.in(directory, now)
            .serverIdentity(Set.copyOf(names), now)
            .certificate();
    String name = certificate.text("spec", "secretName");
    deliver(
        KubeObject.of(Types.SECRETS, "Secret", certificate.namespace(), name)
            .with(certificate.name(), "metadata", "labels", LABEL)
            .with("kubernetes.io/tls", "type")
            .with(
                Map.of(
                    "ca.crt", data("ca.crt"),
                    "tls.crt", data("apiserver.crt"),
                    "tls.key", data("apiserver.key")),
                "data"));
    cluster.patchStatus(
        Types.SERVICE_CERTIFICATES,
        certificate.namespace(),
        certificate.name(),
        Map.of("status", status(certificate, issued)));
  }

  /** The authority would hand out a certificate that covers these names a second time. */
  private void forgetTheLastOne() {
    try {
      Files.deleteIfExists(directory.resolve("apiserver.crt"));
      Files.deleteIfExists(directory.resolve("apiserver.key"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String data(String file) {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(directory.resolve(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void deliver(KubeObject secret) {
    try {
      cluster.create(Types.SECRETS, secret);
    } catch (KubeFailure e) {
      if (e.kind() != KubeFailure.Kind.ALREADY_EXISTS) {
        throw e;
      }
      cluster.patch(
          Types.SECRETS, secret.namespace(), secret.name(), Map.of("data", secret.at("data")));
    }
  }

  private static Map<String, Object> status(KubeObject certificate, X509Certificate issued) {
    return Map.of(
        "observedGeneration", certificate.generation(),
        "serialNumber", issued.getSerialNumber().toString(16),
        "notAfter", issued.getNotAfter().toInstant().truncatedTo(ChronoUnit.SECONDS).toString(),
        "conditions",
            List.of(
                Map.of(
                    "type", "Ready",
                    "status", "True",
                    "reason", "Issued",
                    "message",
                        "The certificate is in Secret " + certificate.text("spec", "secretName"),
                    "lastTransitionTime",
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())));
  }

  /** A certificate's Secret goes with it. */
  private void removeOrphans(Set<String> wanted) {
    for (KubeObject secret : cluster.list(Types.SECRETS, ListQuery.ALL.withLabels(LABEL)).items()) {
      if (!wanted.contains(secret.namespace() + "/" + secret.name())) {
        cluster.delete(
            Types.SECRETS,
            secret.namespace(),
            secret.name(),
            new DeleteCondition.SameObject(secret.uid()));
      }
    }
  }

  private static String secretOf(KubeObject certificate) {
    return certificate.namespace() + "/" + certificate.text("spec", "secretName");
  }
}
