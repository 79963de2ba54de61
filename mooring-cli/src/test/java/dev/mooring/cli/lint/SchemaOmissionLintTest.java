package dev.mooring.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.CommandRun;
import org.junit.jupiter.api.Test;

/** Warnings about what a CRD has and its APIResourceSchema cannot have. */
class SchemaOmissionLintTest {
  private static final String MANIFESTS =
      """
      apiVersion: syncagent.kcp.io/v1alpha1
      kind: PublishedResource
      metadata: {name: certificates}
      spec:
        resource: {apiGroup: pki.example.corp, kind: Certificate%s}
      ---
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: certificates.pki.example.corp}
      spec:
        group: pki.example.corp
        scope: Namespaced
        names: {plural: certificates, singular: certificate, kind: Certificate, listKind: CertificateList}
        conversion:
          strategy: Webhook
          webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: a, name: b}}}
        versions:
        - name: v1
          served: true
          storage: true
          additionalPrinterColumns:
          - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
          - {name: Age, type: date, jsonPath: .metadata.deletionTimestamp}
          schema: {openAPIV3Schema: {type: object, properties: {after: {type: string}}}}
        - name: v1beta1
          served: true
          storage: false
          schema: {openAPIV3Schema: {type: object, properties: {before: {type: string}}}}
      """;

  @Test
  void warnsOfFieldsThatAConversionWebhookWouldConvert() {
    CommandRun run = lint("");

    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("<stdin>:5", "ConversionLeftOut", "v1: after, v1beta1: before", "2 warnings");
    assertThat(lint(", versions: [v1]").out()).doesNotContain("ConversionLeftOut");
  }

  @Test
  void warnsOfAPrinterColumnThatRepeatsAName() {
    assertThat(lint(", versions: [v1]").out())
        .contains("ColumnsLeftOut", "v1: Age (.metadata.deletionTimestamp)", "1 warning");
  }

  private static CommandRun lint(String more) {
    return CommandRun.withInput(MANIFESTS.formatted(more), "lint", "-");
  }
}
