package dev.mooring.cli.demo;

import dev.mooring.cli.demo.ClusterClient.Ref;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A consumer orders a certificate in kcp and gets it there, although all the work is done on a
 * service cluster that the consumer never sees.
 */
final class CertificateChapter extends Chapter {
  private static final String NAMESPACE = "default";
  private static final String CERTIFICATE = "shop";
  private static final String SECRET = "shop-tls";

  CertificateChapter(Story story) {
    super(story);
  }

  void tell() {
    narrator.chapter("Certificates: the sync agent");
    prepare();
    narrator.step("team-blue orders a certificate", this::order);
    narrator.step(
        "The copy is on the service cluster; the owner's operator issues it", this::issue);
    narrator.step("Status and Secret come back to team-blue's workspace", this::deliver);
    narrator.step("team-green orders one of the same name: nothing is mixed up", this::isolate);
    narrator.step("team-blue changes its order: the change goes down, too", this::change);
    narrator.step("team-green deletes its certificate: copy and Secrets go", this::cleanUp);
  }

  /** What has to be there before a consumer orders anything. */
  void prepare() {
    narrator.step("The service owner publishes the CRD with a PublishedResource", this::publish);
    narrator.step("Two consumers bind the certificate API", this::bind);
  }

  private void publish() {
    story.create(environment.serviceCluster(), "published-certificate.yaml");
    kubectl.await(
        environment.serviceCluster().ref(Types.PUBLISHED_RESOURCES, "certificates"),
        "names its APIResourceSchema",
        found -> !found.text("status", "resourceSchemaName").isEmpty(),
        found -> "resourceSchemaName: " + found.text("status", "resourceSchemaName"));
    kubectl.await(
        environment.certificates().ref(Types.API_EXPORTS, Story.CERTIFICATE_EXPORT),
        "offers certificates and claims Secrets",
        found ->
            names(found, "resources", "name").contains("certificates")
                && names(found, "permissionClaims", "resource").contains("secrets"),
        found ->
            "resources: "
                + names(found, "resources", "name")
                + "   permissionClaims: "
                + names(found, "permissionClaims", "resource"));
  }

  private void bind() {
    for (ClusterClient consumer : environment.consumers()) {
      story.bind(consumer, environment.certificates(), Story.CERTIFICATE_EXPORT);
    }
  }

  private void order() {
    story.create(environment.blue(), "certificate.yaml");
  }

  private void issue() {
    List<KubeObject> copies =
        awaitCopies(
            "include team-blue's, issued",
            list -> list.size() == 1 && list.getFirst().hasCondition("Ready"));
    KubeObject copy = copies.getFirst();
    HarnessFailure.unless(
        Objects.equals(copy.at("spec", "dnsNames"), ordered("dnsNames")),
        "The copy " + copy.namespace() + "/" + copy.name() + " has another spec than the order.");
  }

  private @Nullable Object ordered(String field) {
    return environment.manifest("certificate.yaml").getFirst().at("spec", field);
  }

  private void deliver() {
    kubectl.await(
        certificate(environment.blue()),
        "is ready",
        found -> found.hasCondition("Ready"),
        CertificateChapter::row);
    awaitSecret(environment.blue());
  }

  private void isolate() {
    story.create(environment.green(), "certificate-green.yaml");
    awaitCopies(
        "are two, both issued",
        list -> list.size() == 2 && list.stream().allMatch(one -> one.hasCondition("Ready")));
    KubeObject green = awaitSecret(environment.green());
    KubeObject blue = awaitSecret(environment.blue());
    HarnessFailure.unless(
        !Objects.equals(green.at("data"), blue.at("data")),
        "Both consumers have the same key: one has been given the other's.");
    List<KubeObject> seen =
        kubectl.list(environment.blue(), Types.CERTIFICATES, NAMESPACE, CertificateChapter::row);
    HarnessFailure.unless(
        seen.size() == 1, "team-blue sees " + seen.size() + " certificates instead of its own.");
  }

  private void change() {
    List<String> names = List.of("shop.blue.example.corp", "pay.blue.example.corp");
    kubectl.patch(certificate(environment.blue()), Map.of("spec", Map.of("dnsNames", names)));
    awaitCopies(
        "carry the new names",
        list -> list.stream().anyMatch(one -> names.equals(one.at("spec", "dnsNames"))));
  }

  private void cleanUp() {
    kubectl.delete(certificate(environment.green()));
    kubectl.awaitGone(certificate(environment.green()));
    kubectl.awaitGone(secret(environment.green()));
    awaitCopies("are team-blue's alone", list -> list.size() == 1);
  }

  private static Ref certificate(ClusterClient consumer) {
    return consumer.ref(Types.CERTIFICATES, NAMESPACE, CERTIFICATE);
  }

  private static Ref secret(ClusterClient consumer) {
    return consumer.ref(Types.SECRETS, NAMESPACE, SECRET);
  }

  private List<KubeObject> awaitCopies(String expectation, Predicate<List<KubeObject>> ready) {
    return kubectl.awaitList(
        environment.serviceCluster(),
        Types.SERVICE_CERTIFICATES,
        "",
        expectation,
        ready,
        CertificateChapter::row);
  }

  private KubeObject awaitSecret(ClusterClient consumer) {
    return kubectl.await(
        secret(consumer),
        "is there",
        found -> found.map("data").containsKey("tls.crt"),
        found -> "type: " + found.text("type") + "   data: " + found.map("data").keySet());
  }

  private static List<String> names(KubeObject export, String list, String field) {
    return export.list("spec", list).stream()
        .map(item -> Trees.text(item, field))
        .sorted()
        .toList();
  }

  private static String row(KubeObject certificate) {
    return certificate.namespace()
        + "/"
        + certificate.name()
        + "   Ready: "
        + certificate.condition("Ready")
        + "   Secret: "
        + certificate.text("spec", "secretName")
        + "   Expires: "
        + certificate.text("status", "notAfter");
  }
}
