package dev.mooring.depcontroller.ca.selfmanaged;

import dev.mooring.depcontroller.ca.selfmanaged.decide.Certificates;
import dev.mooring.model.dependency.WebhookContract;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.SecretStore;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The certificates in two Secrets: {@value #CA_SECRET} with the CAs and their keys, for the
 * controller alone, and {@value #SERVING_SECRET} with the serving certificate and the bundle to
 * verify it with. Every write is conditional on what was read.
 */
final class CertificateStore {
  static final String CA_SECRET = "dependency-webhook-ca";
  static final String SERVING_SECRET = WebhookContract.SERVING_SECRET;
  private static final String TLS = "kubernetes.io/tls";

  private final SecretStore secrets;

  CertificateStore(KubeClient workspace, String namespace) {
    this.secrets = new SecretStore(workspace, namespace);
  }

  /**
   * What both Secrets hold, and the objects as they were read. Only CAs that no longer sign lack a
   * key.
   */
  record Held(
      Optional<KeyedCertificate> current,
      Optional<KeyedCertificate> next,
      Optional<KeyedCertificate> old,
      Optional<KeyedCertificate> serving,
      Optional<KubeObject> caSecret,
      Optional<KubeObject> servingSecret) {
    Certificates certificates() {
      return new Certificates(
          current.map(KeyedCertificate::issued),
          next.map(KeyedCertificate::issued),
          old.map(KeyedCertificate::issued),
          serving.map(KeyedCertificate::issued));
    }

    /** The CAs that API servers trust, in PEM; empty before the first. */
    String bundle() {
      return Stream.of(current, next, old)
          .flatMap(Optional::stream)
          .map(KeyedCertificate::certificatePem)
          .collect(Collectors.joining());
    }

    Held withCas(
        Optional<KeyedCertificate> now,
        Optional<KeyedCertificate> later,
        Optional<KeyedCertificate> before) {
      return new Held(now, later, before, serving, caSecret, servingSecret);
    }
  }

  Held read() {
    Optional<KubeObject> caSecret = secrets.find(CA_SECRET);
    Optional<KubeObject> serving = secrets.find(SERVING_SECRET);
    return new Held(
        caSecret.flatMap(secret -> keyed(secret, "ca")),
        caSecret.flatMap(secret -> keyed(secret, "next")).filter(next -> next.key().isPresent()),
        caSecret.flatMap(secret -> keyed(secret, "old")),
        serving.flatMap(secret -> keyed(secret, "tls")).filter(shown -> shown.key().isPresent()),
        caSecret,
        serving);
  }

  void writeCas(Held held) {
    var data = new LinkedHashMap<String, Object>();
    held.current().ifPresent(current -> put(data, "ca", current));
    held.next().ifPresent(next -> put(data, "next", next));
    held.old().ifPresent(old -> data.put("old.crt", encoded(old.certificatePem())));
    secrets.write(CA_SECRET, "Opaque", data, held.caSecret());
  }

  void writeServing(Held held, KeyedCertificate serving) {
    var data = new LinkedHashMap<String, Object>();
    put(data, "tls", serving);
    data.put("ca.crt", encoded(held.bundle()));
    secrets.write(SERVING_SECRET, TLS, data, held.servingSecret());
  }

  private static void put(Map<String, Object> data, String name, KeyedCertificate certificate) {
    data.put(name + ".crt", encoded(certificate.certificatePem()));
    if (certificate.key().isPresent()) {
      data.put(name + ".key", encoded(certificate.keyPem()));
    }
  }

  private static Optional<KeyedCertificate> keyed(KubeObject secret, String name) {
    try {
      return decoded(secret, name + ".crt")
          .map(pem -> KeyedCertificate.read(pem, decoded(secret, name + ".key")));
    } catch (IllegalStateException | IllegalArgumentException unreadable) {
      throw new IllegalStateException(
          "Secret "
              + secret.name()
              + " in namespace "
              + secret.namespace()
              + " of the workspace of the APIExport: "
              + name
              + ".crt and "
              + name
              + ".key: "
              + unreadable.getMessage()
              + "; put back what was there, or delete the Secret to have it issued again",
          unreadable);
    }
  }

  private static Optional<String> decoded(KubeObject secret, String field) {
    String value = Trees.textOrEmpty(secret.map("data").get(field));
    return value.isEmpty()
        ? Optional.empty()
        : Optional.of(new String(Base64.getDecoder().decode(value), StandardCharsets.US_ASCII));
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
