package dev.mooring.cli.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.CommandRun;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiffCommandTest {
  private static final Path EXAMPLE = ProjectLayout.find().root().resolve("docs/how-to/example");
  private static final String CRD = EXAMPLE.resolve("crd.yaml").toString();
  private static final String NEW = EXAMPLE.resolve("crd-new.yaml").toString();
  private static final Path PUBLISHED = EXAMPLE.resolve("published.yaml");

  @TempDir Path directory;

  @Test
  void findsNothingBetweenEqualDefinitions() {
    CommandRun run = CommandRun.of("diff", CRD, CRD);

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("unchanged");
  }

  @Test
  void namesEachFieldThatBreaksConsumers() {
    CommandRun run = CommandRun.of("diff", CRD, NEW);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("v1: spec.dnsNames", "maxItems changed from 20 to 10")
        .contains("v1: spec.usage")
        .contains("RequireApproval");
  }

  /** What is replaced by what in the definition, and which line says so. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          maxItems: 20          | maxItems: 30       | v1: spec.dnsNames  *maxItems changed from 20 to 30
          secretName: {         | 'note: {type: string}\n              secretName: {' | v1: spec.note  *added
          [server, client, both] | [server, client, both, none] | v1: spec.usage  *enum changed from
          versions:             | 'versions:\n  - {name: v1alpha1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}' | v1alpha1  *added
          """)
  void namesWhatACompatibleChangeChanges(String from, String to, String line) throws IOException {
    Path wider = copy(Path.of(CRD), from, to.replace("\\n", "\n"));

    CommandRun run = CommandRun.of("diff", CRD, wider.toString());

    assertThat(run.status()).isZero();
    assertThat(run.out()).containsPattern("compatible  *" + line);
  }

  @Test
  void appliesANewDefinitionToThePublishedResourcesOfTheOldDirectory() throws IOException {
    Files.copy(Path.of(CRD), directory.resolve("crd.yaml"));
    copy(
        PUBLISHED,
        "  projection:",
        "  synchronization: {enabled: true, schemaChanges: RequireApproval}\n  projection:");

    CommandRun run = CommandRun.of("diff", directory.toString(), NEW);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains(
            "The agent waits until PublishedResource certificates has the annotation"
                + " syncagent.kcp.io/approved-schema: v");
  }

  @Test
  void saysThatWhatComesFromGitWaitsUntilItIsApplied() throws IOException {
    Files.copy(Path.of(CRD), directory.resolve("crd.yaml"));
    copy(
        PUBLISHED,
        "  projection:",
        "  publishing: External\n  synchronization: {schemaChanges: RequireApproval}\n  projection:");

    CommandRun run = CommandRun.of("diff", directory.toString(), NEW);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("when what mooring render prints of certificates is applied.")
        .doesNotContain("approved-schema");
  }

  @Test
  void reportsAProjectionToAnotherNameAsAnotherApi() throws IOException {
    Path changed = copy(PUBLISHED, "certificates.example.corp", "tls.example.corp");
    Files.copy(PUBLISHED, directory.resolve("old.yaml"));
    Path old = Files.createDirectory(directory.resolve("old"));
    Files.copy(Path.of(CRD), old.resolve("crd.yaml"));
    Files.move(directory.resolve("old.yaml"), old.resolve("published.yaml"));

    assertThat(CommandRun.of("diff", old.toString(), changed.toString()).out())
        .contains("which is another API");
  }

  @Test
  void saysThatTheAgentRefusesAVersionThatIsNoLongerServed() throws IOException {
    Path old = Files.createDirectory(directory.resolve("old"));
    Files.copy(Path.of(CRD), old.resolve("crd.yaml"));
    Files.writeString(
        old.resolve("published.yaml"),
        Files.readString(PUBLISHED)
            .replace("kind: Certificate\n", "kind: Certificate\n    versions: [v1]\n"));
    Path changed = copy(Path.of(CRD), "name: v1", "name: v2");

    CommandRun run = CommandRun.of("diff", old.toString(), changed.toString(), "-o", "json");

    assertThat(run.status()).isEqualTo(1);
    Object diff = Trees.listOrEmpty(KubeJson.read(run.out())).getFirst();
    assertThat(Trees.at(diff, "verdict")).isEqualTo("refused");
    assertThat(run.out())
        .contains("VersionNotServed")
        .containsSubsequence("\"where\"", "\"change\"");
  }

  @Test
  void refusesInputWithoutATypeAndMalformedInput() {
    String sample = EXAMPLE.resolve("certificate.yaml").toString();

    assertThat(CommandRun.of("diff", sample, sample).status()).isEqualTo(2);
    CommandRun malformed = CommandRun.withInput("a: [", "diff", "-", NEW);
    assertThat(malformed.status()).isEqualTo(2);
    assertThat(malformed.err()).startsWith("mooring: <stdin>:1: not valid YAML").hasLineCount(1);
  }

  private Path copy(Path file, String from, String to) throws IOException {
    return Files.writeString(
        directory.resolve(file.getFileName() + ".changed.yaml"),
        Files.readString(file).replace(from, to));
  }
}
