package dev.mooring.benchmarks.sync;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts an agent's requests, watches and the Lease aside. */
interface RequestCounter {
  /** By kind, such as {@code create events}, since some moment that stays the same. */
  Map<String, Long> counts();

  /** What came on top of {@code before}; printed by kind. */
  default long since(Map<String, Long> before) {
    var more = new TreeMap<String, Long>();
    counts().forEach((kind, count) -> more.put(kind, count - before.getOrDefault(kind, 0L)));
    more.values().removeIf(count -> count <= 0);
    if (!more.isEmpty()) {
      System.out.println("    " + more);
    }
    return more.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Requests as the agent counts them itself: {@code mooring_client_requests_total}, or {@code
   * rest_client_requests_total} of clients written in Go.
   */
  record OfAgent(URI metrics) implements RequestCounter {
    private static final Pattern SAMPLE =
        Pattern.compile(
            "(?:mooring_client|rest_client)_requests_total\\{(?<labels>.*)} (?<value>[0-9.eE+]+)");
    private static final Pattern METHOD = Pattern.compile("method=\"([A-Z]+)\"");

    @Override
    public Map<String, Long> counts() {
      var counts = new TreeMap<String, Long>();
      try (var probe = HttpProbe.plain()) {
        String text =
            probe
                .body(metrics)
                .orElseThrow(() -> new HarnessFailure("No metrics of the agent at " + metrics));
        for (String line : text.split("\n")) {
          Matcher sample = SAMPLE.matcher(line);
          if (sample.matches()) {
            Matcher method = METHOD.matcher(sample.group("labels"));
            String kind = method.find() ? method.group(1) : "?";
            counts.merge(kind, (long) Double.parseDouble(sample.group("value")), Long::sum);
          }
        }
      }
      return counts;
    }
  }

  /**
   * Requests as kcp itself wrote them down ({@code --audit-log-path}, one JSON document a line,
   * level Metadata).
   */
  final class OfAuditLog implements RequestCounter {
    private final Path file;
    private final String userAgent;
    private final TreeMap<String, Long> counts = new TreeMap<>();
    private long position;

    /**
     * @param userAgent with which the agent's User-Agent begins
     */
    OfAuditLog(Path file, String userAgent) {
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
}
