package dev.mooring.cli.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.manifest.Manifest.Malformed;
import dev.mooring.cli.manifest.Manifest.Parsed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestReaderTest {
  private static final String TWO =
      """
      # a comment
      apiVersion: v1
      kind: A
      metadata: {name: one}
      spec:
        parts:
        - name: x
          odd: 1
        - name: y
      ---
      apiVersion: v1
      kind: B
      metadata:
        name: two
        creationTimestamp: 2026-01-01T00:00:00Z
      """;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "spec, 5",
    "spec.parts, 6",
    "spec.parts[0], 7",
    "spec.parts[0].odd, 8",
    "spec.parts[1].name, 9",
    "spec.parts[1].absent, 9",
    "spec.parts[7].name, 6",
    "spec.absent.below, 5",
    "absent, 2"
  })
  void knowsTheLineOfAField(String path, int line) {
    assertThat(((Parsed) read(TWO).getFirst()).lines().of(path)).isEqualTo(line);
  }

  @Test
  void countsLinesOfLaterDocumentsFromTheStartOfTheFile() {
    var second = (Parsed) read(TWO).getLast();

    assertThat(second.title()).isEqualTo("B/two");
    assertThat(second.lines().of("metadata.name")).isEqualTo(14);
    assertThat(second.object().text("metadata", "creationTimestamp"))
        .isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void readsTheItemsOfAList() {
    List<Manifest> manifests =
        read(
            """
            apiVersion: v1
            kind: List
            items:
            - {kind: A, metadata: {name: one}}
            - {kind: B, metadata: {name: two}}
            """);

    assertThat(manifests)
        .extracting(each -> ((Parsed) each).title())
        .containsExactly("A/one", "B/two");
    assertThat(((Parsed) manifests.getLast()).lines().of("metadata.name")).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "'a: [1', 1",
    "'a: 1\na: 2', 2",
    "'kind: A\n---\n- 1', 3",
    "'a: b: c', 1",
    "'? [1]\n: x', 1",
    "'a: !!binary AAAA', 1"
  })
  void namesTheLineOfTextThatIsNoObject(String text, int line) {
    assertThat(read(text).getLast())
        .isInstanceOfSatisfying(
            Malformed.class, malformed -> assertThat(malformed.line()).isEqualTo(line));
  }

  @Test
  void readsYamlAndJsonOfADirectoryInOrder() throws IOException {
    Files.createDirectories(directory.resolve("b"));
    Files.writeString(directory.resolve("b/x.json"), "{\"kind\": \"B\"}");
    Files.writeString(directory.resolve("a.yml"), "kind: A");
    Files.writeString(directory.resolve("notes.md"), "# no manifest: [");

    assertThat(ManifestReader.read(List.of(directory.toString()), System.in))
        .extracting(manifest -> ((Parsed) manifest).object().kind())
        .containsExactly("A", "B");
  }

  @Test
  void readsNoObjectOfEmptyDocuments() {
    assertThat(read("---\n# nothing\n---\n")).isEmpty();
  }

  private static List<Manifest> read(String text) {
    return ManifestReader.read(
        List.of("-"), new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }
}
