package dev.mooring.runtime.testing;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The log of a service in profile {@code prod}: one JSON object a line. */
public final class LogLines {
  private LogLines() {}

  /**
   * The fields of Mooring in the lines whose message contains this text.
   *
   * @param output of the process; lines that are no JSON are left out
   */
  public static List<Map<String, Object>> fields(String output, String message) {
    return lines(output)
        .filter(line -> line.text("message").contains(message))
        .map(line -> line.map("mooring"))
        .toList();
  }

  /**
   * The messages that threads whose names begin so have logged.
   *
   * @param output as that of {@link #fields}
   */
  public static List<String> byThreads(String output, String name) {
    return lines(output)
        .filter(line -> line.text("process", "thread", "name").startsWith(name))
        .map(line -> line.text("message"))
        .toList();
  }

  private static Stream<KubeObject> lines(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith("{"))
        .map(LogLines::parsed)
        .flatMap(Optional::stream);
  }

  private static Optional<KubeObject> parsed(String line) {
    try {
      return Optional.of(KubeJson.readObject(line.getBytes(StandardCharsets.UTF_8)));
    } catch (MalformedJson unfinished) {
      return Optional.empty();
    }
  }
}
