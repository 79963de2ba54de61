package dev.mooring.benchmarks.sync;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Requests as kcp itself wrote them down ({@code --audit-log-path}, one JSON document a line, level
 * Metadata). Not thread-safe.
 */
final class AuditLog implements RequestCounter {
  private final Path file;
  private final String userAgent;
  private final TreeMap<String, Long> counts = new TreeMap<>();
  private long position;

  /**
   * @param userAgent with which the agent's User-Agent begins
   */
  AuditLog(Path file, String userAgent) {
    this.file = file;
    this.userAgent = userAgent;
    this.position = file.toFile().length();
  }

  @Override
  public Map<String, Long> counts() {
    try (var log = new RandomAccessFile(file.toFile(), "r")) {
      log.seek(position);
      var bytes = new byte[Math.toIntExact(log.length() - position)];
      log.readFully(bytes);
      int begin = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          count(new String(bytes, begin, i - begin, StandardCharsets.UTF_8));
          begin = i + 1;
        }
      }
      position += begin;
    } catch (IOException e) {
      throw new HarnessFailure("The audit log cannot be read: " + e.getMessage(), e);
    }
    return Map.copyOf(counts);
  }

  private void count(String line) {
    // Most lines are kcp's own: they need not be parsed.
    if (!line.contains(userAgent)) {
      return;
    }
    KubeObject entry = KubeJson.readObject(line.getBytes(StandardCharsets.UTF_8));
    String verb = entry.text("verb");
    String resource = entry.text("objectRef", "resource");
    if (entry.text("userAgent").startsWith(userAgent)
        && !verb.equals("watch")
        && !resource.equals("leases")) {
      String part = entry.text("objectRef", "subresource");
      counts.merge(verb + " " + resource + (part.isEmpty() ? "" : "/" + part), 1L, Long::sum);
    }
  }
}
