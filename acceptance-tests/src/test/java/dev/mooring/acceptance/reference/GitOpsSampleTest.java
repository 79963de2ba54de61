package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.MooringProgram;
import dev.mooring.harness.Manifests;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The repository that docs/how-to/publish-from-git.md shows; {@code GitOpsIT} applies it. */
class GitOpsSampleTest {
  private static final Path SAMPLE =
      GeneratedTable.LAYOUT.root().resolve("docs/how-to/example/gitops");

  @TempDir Path rendered;

  @Test
  void holdsWhatRenderPrintsToday() throws IOException {
    var err = new StringWriter();
    CommandLine program = MooringProgram.commandLine();
    program.setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));

    int status =
        program.execute(
            "render",
            SAMPLE.resolve("service-cluster").toString(),
            "--export=certificates.example.corp",
            "--only=schemas,export",
            "--output-directory=" + rendered);

    assertThat(status).as(err.toString()).isZero();
    assertThat(texts(SAMPLE.resolve("kcp"))).isEqualTo(texts(rendered));
  }

  @ParameterizedTest
  @ValueSource(strings = {"argo-cd.yaml", "flux.yaml"})
  void appliesBothDirectoriesAndPrunesNothing(String file) {
    List<KubeObject> syncing =
        Manifests.ofFile(SAMPLE.resolve(file)).stream()
            .filter(object -> List.of("Application", "Kustomization").contains(object.kind()))
            .toList();

    assertThat(syncing)
        .extracting(GitOpsSampleTest::path)
        .containsExactlyInAnyOrder(SAMPLE.resolve("kcp"), SAMPLE.resolve("service-cluster"));
    assertThat(syncing)
        .allSatisfy(object ->
            assertThat(
                    Stream.of(
                            object.at("spec", "prune"),
                            object.at("spec", "syncPolicy", "automated", "prune"))
                        .filter(java.util.Objects::nonNull))
                .containsExactly(false));
  }

  /** What one names is there: the cluster, the repository, the kubeconfig. */
  @Test
  void refersToObjectsThatItHolds() {
    List<KubeObject> argo = Manifests.ofFile(SAMPLE.resolve("argo-cd.yaml"));
    List<KubeObject> flux = Manifests.ofFile(SAMPLE.resolve("flux.yaml"));

    KubeObject cluster = named(argo, "Secret", "kcp-certificates");
    assertThat(cluster.labels()).containsEntry("argocd.argoproj.io/secret-type", "cluster");
    assertThat(named(argo, "Application", "certificates-kcp").text("spec", "destination", "name"))
        .isEqualTo(cluster.text("stringData", "name"));
    assertThat(cluster.text("stringData", "server")).matches("https://[^/]+/clusters/root(:\\w+)+");
    assertThat(flux)
        .filteredOn(object -> object.kind().equals("Kustomization"))
        .allSatisfy(object ->
            named(
                flux,
                object.text("spec", "sourceRef", "kind"),
                object.text("spec", "sourceRef", "name")));
    assertThat(
            Trees.at(
                named(flux, "Kustomization", "certificates-service-cluster")
                    .list("spec", "dependsOn")
                    .getFirst(),
                "name"))
        .isEqualTo(named(flux, "Kustomization", "certificates-kcp").name());
  }

  private static Path path(KubeObject object) {
    String path = object.text("spec", "path") + object.text("spec", "source", "path");
    return SAMPLE.resolve(path).normalize();
  }

  private static KubeObject named(List<KubeObject> objects, String kind, String name) {
    return objects.stream()
        .filter(object -> object.kind().equals(kind) && object.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + kind + " " + name));
  }

  private static Map<String, String> texts(Path directory) throws IOException {
    var texts = new TreeMap<String, String>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        texts.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return texts;
  }
}
