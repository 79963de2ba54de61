package dev.mooring.cli.manifest;

import dev.mooring.cli.CommandFailure;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Reads the objects of YAML and JSON files, of directories and of standard input. */
public final class ManifestReader {
  /** Kubernetes stores no larger object; a file may hold several. */
  static final int FILE_BYTES_MAX = 8 * 1024 * 1024;

  private static final String STDIN = "-";

  private final List<Manifest> manifests = new ArrayList<>();

  private ManifestReader() {}

  /**
   * The objects, in the order of the sources; files of a directory are sorted by name. Text that is
   * no object is {@link Manifest.Malformed}. Throws {@link CommandFailure} for a source that cannot
   * be read.
   *
   * @param sources files, directories, or {@code -}
   */
  public static List<Manifest> read(List<String> sources, InputStream stdin) {
    var reader = new ManifestReader();
    for (String source : sources) {
      if (source.equals(STDIN)) {
        reader.readText("<stdin>", text("<stdin>", () -> stdin.readNBytes(FILE_BYTES_MAX + 1)));
      } else if (Files.isDirectory(Path.of(source))) {
        manifestsBelow(Path.of(source)).forEach(reader::readFile);
      } else {
        reader.readFile(Path.of(source));
      }
    }
    return List.copyOf(reader.manifests);
  }

  /** As {@link #read}; text that is no object is a {@link CommandFailure}, too. */
  public static List<Manifest.Parsed> readObjects(List<String> sources, InputStream stdin) {
    return read(sources, stdin).stream()
        .map(manifest ->
            switch (manifest) {
              case Manifest.Parsed parsed -> parsed;
              case Manifest.Malformed(var file, var line, var message) ->
                  throw CommandFailure.badInput(file + ":" + line + ": " + message);
            })
        .toList();
  }

  /** The one object of a resource of this program. */
  public static KubeObject ofResource(String name) {
    try (InputStream in = ManifestReader.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no resource " + name);
      }
      var reader = new ManifestReader();
      reader.readText(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
      return ((Manifest.Parsed) reader.manifests.getFirst()).object();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> manifestsBelow(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.getFileName().toString().matches("[^.].*\\.(ya?ml|json)"))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw unreadable(directory.toString(), e);
    } catch (UncheckedIOException e) {
      throw unreadable(directory.toString(), e.getCause());
    }
  }

  private void readFile(Path file) {
    readText(
        file.toString(),
        text(
            file.toString(),
            () -> {
              try (InputStream in = Files.newInputStream(file)) {
                return in.readNBytes(FILE_BYTES_MAX + 1);
              }
            }));
  }

  /** Reads bytes. */
  private interface Source {
    byte[] bytes() throws IOException;
  }

  private static String text(String name, Source source) {
    try {
      byte[] bytes = source.bytes();
      if (bytes.length > FILE_BYTES_MAX) {
        throw CommandFailure.badInput(
            name + " is larger than " + FILE_BYTES_MAX / 1024 / 1024 + " MiB; split it");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw CommandFailure.badInput(name + " is not a text file in UTF-8; name YAML or JSON files");
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  private static CommandFailure unreadable(String name, @Nullable IOException cause) {
    return CommandFailure.badInput(
        switch (cause) {
          case AccessDeniedException e -> e.getFile() + " cannot be read: permission denied";
          case FileSystemException e when !Files.exists(Path.of(e.getFile())) ->
              e.getFile() + " does not exist";
          case null, default ->
              name + " cannot be read: " + (cause == null ? "" : cause.getMessage());
        });
  }

  private void readText(String file, String text) {
    var limits = new LoaderOptions();
    limits.setCodePointLimit(FILE_BYTES_MAX);
    limits.setAllowDuplicateKeys(false);
    int line = 1;
    try {
      for (Node document : new Yaml(limits).composeAll(new StringReader(text))) {
        line = document.getStartMark().getLine() + 1;
        add(file, document, new TreeConstructor(limits));
      }
    } catch (MarkedYAMLException e) {
      int at = e.getProblemMark() == null ? line : e.getProblemMark().getLine() + 1;
      manifests.add(new Manifest.Malformed(file, at, "not valid YAML: " + e.getProblem()));
    } catch (ClassCastException e) {
      manifests.add(
          new Manifest.Malformed(
              file,
              line,
              "not valid YAML: a key is not a text; render templates, such as Helm's, first"));
    } catch (YAMLException | IllegalArgumentException e) {
      manifests.add(new Manifest.Malformed(file, line, "not valid YAML: " + e.getMessage()));
    }
  }

  /** Lists, as kubectl prints them, count as their items. */
  private void add(String file, Node document, TreeConstructor constructor) {
    Object tree = constructor.tree(document);
    if (tree == null) {
      return;
    }
    if (!(tree instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("the document is not an object");
    }
    var object = KubeObject.of(Trees.thawMap(map));
    if (object.kind().equals("List") && document instanceof MappingNode list) {
      items(list).forEach(item -> add(file, item, constructor));
    } else {
      manifests.add(new Manifest.Parsed(file, object, new FieldLines(document)));
    }
  }

  private static List<Node> items(MappingNode list) {
    NodeTuple items = FieldLines.field(list, "items");
    return items != null && items.getValueNode() instanceof SequenceNode sequence
        ? sequence.getValue()
        : List.of();
  }

  /** Values of nodes as JSON has them: timestamps stay text. */
  private static final class TreeConstructor extends SafeConstructor {
    TreeConstructor(LoaderOptions limits) {
      super(limits);
      setAllowDuplicateKeys(limits.isAllowDuplicateKeys());
      yamlConstructors.put(Tag.TIMESTAMP, new ConstructYamlStr());
    }

    Object tree(Node node) {
      return constructDocument(node);
    }
  }
}
