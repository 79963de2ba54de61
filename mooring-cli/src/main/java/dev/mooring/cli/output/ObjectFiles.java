package dev.mooring.cli.output;

import dev.mooring.cli.CommandFailure;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Objects as YAML files of a directory, one each, for Git. */
public final class ObjectFiles {
  private ObjectFiles() {}

  /**
   * Writes each object into a file of its own, which is named by kind, namespace and name, and is
   * replaced as a whole. Other files of the directory stay. Throws {@link CommandFailure}.
   *
   * @param directory is created if it does not exist
   * @return the files, in the order of the objects
   */
  public static List<Path> write(Path directory, List<KubeObject> objects) {
    try {
      Files.createDirectories(directory);
      var written = new ArrayList<Path>();
      for (KubeObject object : objects) {
        Path file = directory.resolve(name(object));
        // Not a temporary file, which its owner alone may read.
        Path draft = directory.resolve("." + file.getFileName() + ".draft");
        Files.writeString(draft, OutputOptions.yaml(OutputOptions.sorted(object.tree())));
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        written.add(file);
      }
      return List.copyOf(written);
    } catch (IOException e) {
      throw CommandFailure.badInput(
          "nothing can be written into "
              + directory
              + ": "
              + e.getClass().getSimpleName()
              + " "
              + e.getMessage());
    }
  }

  /** Nothing of an object's name leads out of the directory. */
  private static String name(KubeObject object) {
    String parts =
        Stream.of(object.kind().toLowerCase(Locale.ROOT), object.namespace(), object.name())
            .filter(part -> !part.isEmpty())
            .map(part -> part.replaceAll("[^A-Za-z0-9.-]", "-"))
            .collect(Collectors.joining("-"));
    return (parts.isEmpty() ? "values" : parts) + ".yaml";
  }
}
