package dev.mooring.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.CommandRun;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenderCommandTest {
  private static final ProjectLayout LAYOUT = ProjectLayout.find();

  @TempDir Path directory;
  private Path published;

  @BeforeEach
  void copyExamples() throws IOException {
    for (String name : List.of("published.yaml", "crd.yaml", "certificate.yaml")) {
      Files.copy(LAYOUT.file("docs/how-to/example/" + name), directory.resolve(name));
    }
    published = directory.resolve("published.yaml");
  }

  @Test
  void printsTheSchemaThatTheExportLists() {
    KubeObject schema = only("schemas").getFirst();
    KubeObject export = only("export").getFirst();

    assertThat(schema.name())
        .matches("v[0-9a-f]{8}\\.certificates\\.certificates\\.example\\.corp");
    assertThat(Trees.at(export.list("spec", "resources").getFirst(), "schema"))
        .isEqualTo(schema.name());
    assertThat(export.list("spec", "permissionClaims"))
        .extracting(claim -> Trees.at(claim, "resource"))
        .containsExactly("events", "namespaces", "secrets");
  }

  @Test
  void printsTheSameEveryTime() {
    assertThat(render().out()).isEqualTo(render().out());
  }

  @Test
  void keepsWhatOthersPutIntoTheExport() throws IOException {
    Files.writeString(
        directory.resolve("export.yaml"),
        """
        apiVersion: apis.kcp.io/v1alpha2
        kind: APIExport
        metadata: {name: corp}
        spec:
          resources:
          - {group: other.example.corp, name: others, schema: v1.others.other.example.corp, storage: {crd: {}}}
        """);

    KubeObject export =
        objects(render("--only", "export", directory.resolve("export.yaml").toString())).getFirst();

    assertThat(export.name()).isEqualTo("corp");
    assertThat(export.annotation("syncagent.kcp.io/agent-name")).contains("corp-syncagent");
    assertThat(export.list("spec", "resources"))
        .extracting(entry -> Trees.at(entry, "name"))
        .containsExactly("certificates", "others");
  }

  /** The verbs are those that the manifest grants for the same types. */
  @Test
  void grantsWhatTheShippedManifestGrants() {
    List<Object> shipped =
        Manifests.ofFile(LAYOUT.file("charts/mooring/service-cluster/rbac-agent.yaml"))
            .getFirst()
            .list("rules");

    assertThat(only("rbac").getFirst().list("rules")).hasSize(2).allMatch(shipped::contains);
  }

  @Test
  void namesTypesForTheChart() throws IOException {
    Files.writeString(
        published,
        Files.readString(published)
            .replace("naming:\n", "naming:\n    cleanupNamespaces: true\n")
            .replace("origin: service\n", "origin: kcp\n    syncStatus: true\n"));

    KubeObject values = only("values").getFirst();

    assertThat(values.at("syncAgent", "rbac", "cleanupNamespaces")).isEqualTo(true);
    assertThat(Trees.at(values.list("syncAgent", "rbac", "published").getFirst(), "resources"))
        .isEqualTo(List.of("certificates"));
    assertThat(values.list("syncAgent", "rbac", "relatedStatus")).hasSize(1);
  }

  @Test
  void saysInTheChartsValuesWhoWritesTheExport() throws IOException {
    assertThat(only("values").getFirst().map("kcpManifests"))
        .isEqualTo(Map.of("apiExport", "example", "prune", false, "publishing", "Managed"));

    edit("spec:\n", "spec:\n  synchronization: {prune: {keep: 1}}\n");
    assertThat(only("values").getFirst().map("kcpManifests")).containsEntry("prune", true);

    edit("spec:\n", "spec:\n  publishing: External\n");
    assertThat(only("values").getFirst().map("kcpManifests"))
        .isEqualTo(Map.of("apiExport", "example", "prune", false, "publishing", "External"));
  }

  @Test
  void saysInTheChartsValuesThatTheWholeAgentPublishesNothing() {
    KubeObject values = objects(render("--only", "values", "--publishing", "External")).getFirst();

    assertThat(values.at("kcpManifests", "publishing")).isEqualTo("External");
    assertThat(values.at("syncAgent", "publishing")).isEqualTo("External");
    assertThat(only("values").getFirst().at("syncAgent", "publishing")).isNull();
  }

  @Test
  void writesAFileForEachObjectAndKeepsOthers() throws IOException {
    Path kcp = Files.createDirectory(directory.resolve("kcp"));
    Files.writeString(kcp.resolve("notes.txt"), "ours");

    CommandRun run = render("--only", "schemas,export", "--output-directory", kcp.toString());
    CommandRun again =
        render(kcp.toString(), "--only", "schemas,export", "--output-directory", kcp.toString());

    List<Path> files = run.out().lines().map(Path::of).toList();
    assertThat(files)
        .extracting(file -> file.getFileName().toString())
        .satisfiesExactly(
            schema -> assertThat(schema).matches("apiresourceschema-v[0-9a-f]{8}\\..*\\.yaml"),
            export -> assertThat(export).isEqualTo("apiexport-example.yaml"));
    assertThat(again.out().lines().map(Path::of))
        .as("a schema that a file holds is not written again")
        .containsExactly(files.getLast());
    assertThat(Manifests.ofFile(files.getLast())).isEqualTo(only("export"));
    try (Stream<Path> all = Files.list(kcp)) {
      assertThat(all).hasSize(3).contains(kcp.resolve("notes.txt"));
    }
  }

  @Test
  void writesNothingOutsideTheDirectory() {
    Path kcp = directory.resolve("kcp");

    render("--only", "export", "--export", "../../up", "--output-directory", kcp.toString());

    assertThat(kcp.resolve("apiexport-..-..-up.yaml")).isRegularFile();
  }

  @Test
  void saysWhyNothingCanBeWritten() {
    CommandRun run = render("--output-directory", published.toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("nothing can be written into " + published).hasLineCount(1);
  }

  /** What comes from Git is reviewed there. */
  @Test
  void asksForAnApprovalOnlyWhereTheAgentWritesTheExport() throws IOException {
    edit("spec:\n", "spec:\n  synchronization: {schemaChanges: RequireApproval}\n");
    String kcp = directory.resolve("kcp.yaml").toString();
    Files.writeString(Path.of(kcp), render("--only", "schemas,export").out());
    Files.copy(
        LAYOUT.file("docs/how-to/example/crd-new.yaml"),
        directory.resolve("crd.yaml"),
        StandardCopyOption.REPLACE_EXISTING);

    assertThat(render(kcp).err()).contains("syncagent.kcp.io/approved-schema");
    edit("spec:\n", "spec:\n  publishing: External\n");
    List<KubeObject> rendered = objects(render("--only", "schemas,export", kcp));

    assertThat(rendered)
        .extracting(KubeObject::kind)
        .containsExactly("APIResourceSchema", "APIExport");
    assertThat(Trees.at(rendered.getLast().list("spec", "resources").getFirst(), "schema"))
        .isEqualTo(rendered.getFirst().name());
  }

  @Test
  void printsTheCopyWithDefaultsNameAndMarks() {
    KubeObject copy =
        objects(render("--only", "copies", "--sample", sample(), "--cluster", "abc")).getFirst();

    assertThat(copy.apiVersion()).isEqualTo("pki.example.corp/v1");
    assertThat(copy.namespace()).isEqualTo("consumer-abc");
    assertThat(copy.name()).isEqualTo("default-shop");
    assertThat(copy.text("spec", "usage")).isEqualTo("server");
    assertThat(copy.labels()).containsEntry("syncagent.kcp.io/agent-name", "example-syncagent");
  }

  /** As in the annotations and fields of an object that kcp serves. */
  @Test
  void namesACopyByWhatKcpAddsToAnObject() throws IOException {
    edit(
        "name: \"\\{.*",
        "name: '{{ .Object.metadata.uid }}.{{ index .Object.metadata.annotations"
            + " \"kcp.io/cluster\" }}'");

    KubeObject copy =
        objects(render("--only", "copies", "--sample", sample(), "--cluster", "abc")).getFirst();

    assertThat(copy.name()).matches("[0-9a-f-]{36}\\.abc");
    assertThat(copy.annotations()).doesNotContainKey("kcp.io/cluster");
  }

  @Test
  void saysForWhichServerEachObjectIs() throws IOException {
    Path directories = directory.resolve("out");
    List<String> documents =
        List.of(
            CommandRun.of(
                    "render",
                    published.toString(),
                    directory.resolve("crd.yaml").toString(),
                    "--sample=" + sample())
                .out()
                .split("---\n"));
    CommandRun files = render("--sample", sample(), "--output-directory", directories.toString());

    assertThat(documents)
        .satisfiesExactly(
            schema -> assertThat(schema).startsWith("# for kcp\napiVersion: apis.kcp.io"),
            export -> assertThat(export).startsWith("# for kcp\napiVersion: apis.kcp.io"),
            role -> assertThat(role).startsWith("# for service cluster\napiVersion: rbac."),
            copy -> assertThat(copy).startsWith("# for service cluster\napiVersion: pki."));
    assertThat(files.out().lines().map(Path::of).map(directories::relativize).map(Path::getParent))
        .extracting(Path::toString)
        .containsExactly("kcp", "kcp", "service-cluster", "service-cluster");
    Path any = Path.of(files.out().lines().findFirst().orElseThrow());
    assertThat(Files.getPosixFilePermissions(any))
        .as("as of other files that the user writes")
        .isEqualTo(Files.getPosixFilePermissions(Files.createFile(directory.resolve("own"))));
  }

  @Test
  void saysWhyAnObjectHasNoCopy() throws IOException {
    Files.writeString(
        published,
        Files.readString(published)
            .replace("  naming:", "  filter: {resource: {matchLabels: {a: b}}}\n  naming:"));

    CommandRun run = render("--only", "copies", "--sample", sample());

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).isEqualTo(sample() + ":3: Certificate/shop: OutOfFilter\n");
  }

  @Test
  void saysThatConsumersCannotCreateAnObject() throws IOException {
    Path sample = Path.of(sample());
    Files.writeString(sample, Files.readString(sample).replace("secretName", "secret"));

    assertThat(render("--sample", sample.toString()).err())
        .contains("consumers cannot create it: spec.secretName: Required value");
  }

  @Test
  void reportsWhatTheAgentRefuses() throws IOException {
    Files.writeString(
        published, Files.readString(published).replace("kind: Certificate", "kind: C"));

    CommandRun run = render();

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .contains("published.yaml:5: PublishedResource/certificates: ")
        .contains("CustomResourceDefinition of kind C");
    assertThat(run.out()).as("half of the output").isEmpty();
  }

  @Test
  void refusesFilesWithoutAPublishedResource() {
    CommandRun run = CommandRun.of("render", sample());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("there is no PublishedResource in");
  }

  private void edit(String text, String replacement) throws IOException {
    Files.writeString(published, Files.readString(published).replaceFirst(text, replacement));
  }

  private String sample() {
    return directory.resolve("certificate.yaml").toString();
  }

  private List<KubeObject> only(String part) {
    return objects(render("--only", part));
  }

  private CommandRun render(String... more) {
    var arguments = new ArrayList<>(List.of("render", "-o", "json", published.toString()));
    arguments.add(directory.resolve("crd.yaml").toString());
    arguments.addAll(Arrays.asList(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private static List<KubeObject> objects(CommandRun run) {
    assertThat(run.err()).isEmpty();
    assertThat(Trees.mapOrEmpty(KubeJson.read(run.out())).keySet())
        .containsExactly("apiVersion", "kind", "items");
    return Trees.listOrEmpty(Trees.at(KubeJson.read(run.out()), "items")).stream()
        .map(item -> KubeObject.of(Trees.mapOrEmpty(item)))
        .toList();
  }
}
