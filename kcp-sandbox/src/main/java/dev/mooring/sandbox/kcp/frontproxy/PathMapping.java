package dev.mooring.sandbox.kcp.frontproxy;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.security.certificate.ClientIdentity;
import dev.mooring.sandbox.security.certificate.PemFiles;
import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A path of a front proxy that leads to a server elsewhere, which learns by headers who the user
 * is: an entry of kcp's {@code --mapping-file}. Thread-safe.
 *
 * @param segments of the path; one in braces stands for any, {@code {cluster}} for a workspace
 * @param backend whose path comes before that of the request
 * @param extraPrefix of headers with more about the user
 */
public record PathMapping(
    List<String> segments,
    URI backend,
    ReverseProxy proxy,
    String userHeader,
    String groupHeader,
    String extraPrefix) {
  private static final String CLUSTERS = "clusters";

  /**
   * Reads the file; paths in it are relative to the working directory. kcp's own entry for {@code
   * /clusters/} is left out.
   *
   * @throws IllegalArgumentException that names the file and what is wrong with it
   * @throws java.io.UncheckedIOException if it or a file that it names cannot be read
   */
  public static List<PathMapping> read(Path file) {
    try {
      if (!(YamlText.read(PemFiles.readText(file)) instanceof List<?> entries)) {
        throw new IllegalArgumentException("it holds no list of mappings");
      }
      return entries.stream()
          .map(PathMapping::of)
          .filter(mapping -> !mapping.segments().equals(List.of(CLUSTERS)))
          .toList();
    } catch (MalformedJson | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the mapping file " + file + " is wrong: " + e.getMessage(), e);
    }
  }

  private static PathMapping of(Object entry) {
    String path = Trees.text(entry, "path");
    List<String> segments = Stream.of(path.split("/")).filter(part -> !part.isEmpty()).toList();
    if (!path.startsWith("/") || segments.isEmpty()) {
      throw new IllegalArgumentException("\"" + path + "\" is no path below /");
    }
    return new PathMapping(
        segments,
        URI.create(Trees.text(entry, "backend")),
        new ReverseProxy(
            TrustedAuthorities.context(
                Optional.of(pem(entry, "backend_server_ca")),
                Optional.of(
                    new ClientIdentity(
                        pem(entry, "proxy_client_cert"), pem(entry, "proxy_client_key"))))),
        textOr(entry, "user_header", "X-Remote-User"),
        textOr(entry, "group_header", "X-Remote-Group"),
        textOr(entry, "extra_header_prefix", "X-Remote-Extra-"));
  }

  private static String pem(Object entry, String field) {
    return PemFiles.readText(Path.of(Trees.text(entry, field)));
  }

  private static String textOr(Object entry, String field, String otherwise) {
    String text = Trees.text(entry, field);
    return text.isEmpty() ? otherwise : text;
  }

  /** The one that says most about the path. */
  static Optional<PathMapping> find(List<PathMapping> mappings, List<String> path) {
    return mappings.stream()
        .filter(mapping -> mapping.covers(path))
        .max(Comparator.comparing(PathMapping::precision));
  }

  private boolean covers(List<String> path) {
    return path.size() >= segments.size()
        && IntStream.range(0, segments.size())
            .allMatch(i -> isOpen(segments.get(i)) || segments.get(i).equals(path.get(i)));
  }

  /** Greater for a text than for braces, and for more segments. */
  private String precision() {
    return segments.stream().map(part -> isOpen(part) ? "a" : "b").collect(Collectors.joining());
  }

  private static boolean isOpen(String segment) {
    return segment.startsWith("{");
  }

  /** The workspace that the path names; empty for none and for all of them. */
  Optional<String> workspace(List<String> path) {
    int named = segments.indexOf("{cluster}");
    int at = named < 0 ? path.indexOf(CLUSTERS) + 1 : named;
    return at == 0 || at == path.size()
        ? Optional.empty()
        : Optional.of(path.get(at)).filter(workspace -> !workspace.equals("*"));
  }

  void forward(Exchange exchange, List<String> path, UserInfo user) throws IOException {
    var headers = new LinkedHashMap<String, List<String>>();
    headers.put(userHeader, List.of(user.name()));
    headers.put(groupHeader, user.groups().stream().sorted().toList());
    user.extra()
        .forEach((key, values) ->
            headers.put(extraPrefix + URLEncoder.encode(key, StandardCharsets.UTF_8), values));
    proxy.forward(exchange, backend, path, this::isReplaced, headers);
  }

  /** Whether only the proxy sends it. */
  private boolean isReplaced(String header) {
    return header.equalsIgnoreCase("authorization")
        || header.equalsIgnoreCase(userHeader)
        || header.equalsIgnoreCase(groupHeader)
        || header.toLowerCase(Locale.ROOT).startsWith(extraPrefix.toLowerCase(Locale.ROOT));
  }
}
