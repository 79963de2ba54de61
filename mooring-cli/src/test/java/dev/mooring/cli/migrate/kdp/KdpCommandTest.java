package dev.mooring.cli.migrate.kdp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.CommandRun;
import dev.mooring.cli.manifest.Manifest;
import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KdpCommandTest {
  private static final String SERVICE =
      """
      apiVersion: core.kdp.k8c.io/v1alpha1
      kind: Service
      metadata: {name: certificate-management}
      spec:
        apiGroup: certificates.example.corp
        catalogMetadata:
          title: Certificate Management
          description: Acquire certificates.
      """;
  private static final String PUBLISHED =
      """
      apiVersion: services.kdp.k8c.io/v1alpha1
      kind: PublishedResource
      metadata: {name: publish-certificates}
      spec:
        resource: {kind: Certificate, apiGroup: cert-manager.io, version: v1}
        naming: {namespace: kube-system}
        filter: {namespace: my-app}
        projection: {version: v1beta1, kind: Zertifikat, plural: Zertifikate}
        related:
        - origin: platform
          kind: Secret
          reference:
            name: {path: spec.secretName}
            namespace: {path: metadata.uid, regex: {pattern: '(.+)', replacement: 'ns-\\1'}}
      """;

  @TempDir Path directory;

  @Test
  void convertsServiceAndPublishedResource() throws IOException {
    CommandRun run = convert(SERVICE + "---\n" + PUBLISHED);

    KubeObject converted = only(run);
    assertThat(run.status()).isZero();
    assertThat(converted.apiVersion()).isEqualTo("syncagent.kcp.io/v1alpha1");
    assertThat(converted.map("spec", "resource"))
        .isEqualTo(
            Map.of(
                "kind", "Certificate", "apiGroup", "cert-manager.io", "versions", List.of("v1")));
    assertThat(converted.map("spec", "projection"))
        .isEqualTo(
            Map.of(
                "group", "certificates.example.corp",
                "kind", "Zertifikat",
                "plural", "zertifikate",
                "versions", Map.of("v1", "v1beta1")));
    assertThat(converted.map("spec", "filter", "namespace", "matchLabels"))
        .isEqualTo(Map.of("kubernetes.io/metadata.name", "my-app"));
    assertThat(converted.map("spec", "naming"))
        .isEqualTo(
            Map.of("namespace", "kube-system", "name", "$remoteNamespaceHash-$remoteNameHash"));
    assertThat(converted.list("spec", "related"))
        .containsExactly(
            Map.of(
                "identifier", "secret",
                "origin", "kcp",
                "version", "v1",
                "resource", "secrets",
                "object",
                    Map.of(
                        "reference", Map.of("path", "spec.secretName"),
                        "namespace",
                            Map.of(
                                "reference",
                                Map.of(
                                    "path",
                                    "metadata.uid",
                                    "regex",
                                    Map.of("pattern", "(.+)", "replacement", "ns-${1}"))))));
    assertThat(run.err())
        .contains("kdp.yaml:17: PublishedResource/publish-certificates: converted")
        .contains("--mooring.sync-agent.service-title=\"Certificate Management\"");
  }

  @Test
  void namesWhatHasNoCounterpart() throws IOException {
    CommandRun run =
        convert(
            SERVICE.replace("title:", "logo: x\n    title:")
                + "---\n"
                + PUBLISHED
                + "  mutation:\n    spec:\n    - rudi: {script: x}\n  novelty: 1\n");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .contains("no counterpart: spec.catalogMetadata.logo")
        .contains("no counterpart: spec.mutation.spec[0].rudi")
        .contains("no counterpart: spec.novelty");
    assertThat(only(run).at("spec", "mutation")).isNull();
  }

  @Test
  void writesWhatLintAccepts() throws IOException {
    CommandRun run = convert(SERVICE + "---\n" + PUBLISHED);

    assertThat(CommandRun.withInput(run.out(), "lint", "-").out()).contains("0 errors");
  }

  @Test
  void givesEachRelatedEntryAnIdentifier() throws IOException {
    String entry = "  - {origin: service, kind: Secret, reference: {name: {path: spec.a}}}\n";
    CommandRun run =
        convert(
            PUBLISHED.substring(0, PUBLISHED.indexOf("  - origin")) + entry + entry,
            "--api-group",
            "g.example.corp");

    assertThat(only(run).list("spec", "related"))
        .extracting(each -> Trees.at(each, "identifier"))
        .containsExactly("secret", "secret-2");
  }

  @Test
  void asksForTheServiceOfPublishedResources() throws IOException {
    CommandRun run = convert(PUBLISHED);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("the files hold no Service").hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void refusesFilesWithoutAnythingOfKdp() throws IOException {
    CommandRun run = convert("apiVersion: v1\nkind: Service\nmetadata: {name: web}\n");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("no Service and no PublishedResource of KDP").hasLineCount(1);
  }

  private CommandRun convert(String text, String... more) throws IOException {
    Path file = Files.writeString(directory.resolve("kdp.yaml"), text);
    var arguments = new ArrayList<>(List.of("migrate", "kdp", file.toString()));
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private static KubeObject only(CommandRun run) {
    List<Manifest.Parsed> printed =
        ManifestReader.readObjects(
            List.of("-"), new ByteArrayInputStream(run.out().getBytes(StandardCharsets.UTF_8)));
    assertThat(printed).hasSize(1);
    return printed.getFirst().object();
  }
}
