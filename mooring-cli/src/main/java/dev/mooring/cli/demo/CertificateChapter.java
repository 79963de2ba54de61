package dev.mooring.cli.demo;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A consumer orders a certificate in kcp and gets it there, although all the work is done on a
 * service cluster that the consumer never sees.
 */
final class CertificateChapter {
  private static final String NAMESPACE = "default";
  private static final String CERTIFICATE = "shop";
  private static final String SECRET = "shop-tls";

  private final DemoEnvironment environment;
  private final Narrator narrator;
  private final Kubectl kubectl;

  CertificateChapter(DemoEnvironment environment, Narrator narrator, Kubectl kubectl) {
    this.environment = environment;
    this.narrator = narrator;
    this.kubectl = kubectl;
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
    kubectl.create(
        environment.serviceCluster(),
        "published-certificate.yaml",
        environment.manifest("published-certificate.yaml"));
    kubectl.await(
        environment.serviceCluster(),
        Types.PUBLISHED_RESOURCES,
        "",
        "certificates",
        "names its APIResourceSchema",
        found -> !found.text("status", "resourceSchemaName").isEmpty(),
        found -> "resourceSchemaName: " + found.text("status", "resourceSchemaName"));
    kubectl.await(
        environment.certificates(),
        Types.API_EXPORTS,
        "",
        SetUpChapter.CERTIFICATE_EXPORT,
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
    Providers.bind(
        kubectl,
        environment.blue(),
        environment.certificates(),
        environment,
        SetUpChapter.CERTIFICATE_EXPORT);
    Providers.bind(
        kubectl,
        environment.green(),
        environment.certificates(),
        environment,
        SetUpChapter.CERTIFICATE_EXPORT);
  }

  private void order() {
    kubectl.create(
        environment.blue(), "certificate.yaml", environment.manifest("certificate.yaml"));
  }

  private void issue() {
    List<KubeObject> copies =
        kubectl.awaitList(
            environment.serviceCluster(),
            Types.SERVICE_CERTIFICATES,
            "",
            "include team-blue's, issued",
            list -> list.size() == 1 && list.getFirst().hasCondition("Ready"),
            CertificateChapter::row);
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
        environment.blue(),
        Types.CERTIFICATES,
        NAMESPACE,
        CERTIFICATE,
        "is ready",
        found -> found.hasCondition("Ready"),
        CertificateChapter::row);
    awaitSecret(environment.blue());
  }

  private void isolate() {
    kubectl.create(
        environment.green(),
        "certificate-green.yaml",
        environment.manifest("certificate-green.yaml"));
    kubectl.awaitList(
        environment.serviceCluster(),
        Types.SERVICE_CERTIFICATES,
        "",
        "are two, both issued",
        list -> list.size() == 2 && list.stream().allMatch(one -> one.hasCondition("Ready")),
        CertificateChapter::row);
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
    kubectl.patch(
        environment.blue(),
        Types.CERTIFICATES,
        NAMESPACE,
        CERTIFICATE,
        Map.of("spec", Map.of("dnsNames", names)));
    kubectl.awaitList(
        environment.serviceCluster(),
        Types.SERVICE_CERTIFICATES,
        "",
        "carry the new names",
        list -> list.stream().anyMatch(one -> names.equals(one.at("spec", "dnsNames"))),
        CertificateChapter::row);
  }

  private void cleanUp() {
    kubectl.delete(environment.green(), Types.CERTIFICATES, NAMESPACE, CERTIFICATE);
    kubectl.awaitGone(environment.green(), Types.CERTIFICATES, NAMESPACE, CERTIFICATE);
    kubectl.awaitGone(environment.green(), Types.SECRETS, NAMESPACE, SECRET);
    kubectl.awaitList(
        environment.serviceCluster(),
        Types.SERVICE_CERTIFICATES,
        "",
        "are team-blue's alone",
        list -> list.size() == 1,
        CertificateChapter::row);
  }

  private KubeObject awaitSecret(ClusterClient consumer) {
    return kubectl.await(
        consumer,
        Types.SECRETS,
        NAMESPACE,
        SECRET,
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
