package dev.mooring.sandbox.http.exchange;

import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** In which form a client wants its answer: the first of its wishes that can be met. */
public record AcceptHeader(Format format, Form form) {
  /** The syntax. */
  public enum Format {
    JSON("application/json"),
    YAML("application/yaml");

    private final String mediaType;

    Format(String mediaType) {
      this.mediaType = mediaType;
    }

    public String mediaType() {
      return mediaType;
    }
  }

  /** Which form of an object is answered. */
  public enum Form {
    OBJECT,
    TABLE,
    METADATA
  }

  public static final AcceptHeader DEFAULT = new AcceptHeader(Format.JSON, Form.OBJECT);

  private static final String AVAILABLE =
      "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml,"
          + " application/vnd.kubernetes.protobuf";
  private static final Set<String> ROUTED =
      Set.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "*/*");

  /**
   * Whether Kubernetes' router finds a handler for a built-in type, in any form.
   *
   * @param more what the path has to offer in addition, as the refusal lists it
   * @throws ApiFailure 406
   */
  public static void requireRouted(String accept, String more) {
    boolean routed =
        accept.isBlank()
            || Stream.of(accept.split(",")).anyMatch(wish -> ROUTED.contains(mediaType(wish)));
    if (!routed) {
      throw ApiFailure.of(406, "NotAcceptable", AVAILABLE + more, Map.of());
    }
  }

  private static String mediaType(String clause) {
    return clause.split(";", 2)[0].strip();
  }

  /** For a watch: what is streamed is JSON. Throws {@link ApiFailure} 406. */
  public static AcceptHeader ofStream(String accept) {
    AcceptHeader accepted = of(accept);
    if (accepted.format() != Format.JSON) {
      throw ApiFailure.of(
          406,
          "NotAcceptable",
          "only the following media types are accepted: application/json;stream=watch,"
              + " application/vnd.kubernetes.protobuf;stream=watch",
          null);
    }
    return accepted;
  }

  /** Throws {@link ApiFailure} 406. */
  public static AcceptHeader of(String accept) {
    if (accept.isBlank()) {
      return DEFAULT;
    }
    for (String clause : accept.split(",")) {
      String[] parts = clause.strip().split(";");
      Format format =
          switch (parts[0].strip()) {
            case "application/json", "application/*", "*/*" -> Format.JSON;
            case "application/yaml" -> Format.YAML;
            default -> null;
          };
      if (format == null) {
        continue;
      }
      Form form = form(parameters(parts));
      if (form != null) {
        return new AcceptHeader(format, form);
      }
    }
    throw ApiFailure.of(
        406,
        "NotAcceptable",
        "only the following media types are accepted: application/json, application/yaml,"
            + " application/vnd.kubernetes.protobuf",
        null);
  }

  /** Null for an unknown form. */
  private static @Nullable Form form(Map<String, String> parameters) {
    String as = parameters.getOrDefault("as", "");
    if (as.isEmpty()) {
      return Form.OBJECT;
    }
    String version = parameters.getOrDefault("v", "");
    if (!"meta.k8s.io".equals(parameters.get("g"))
        || !(version.equals("v1") || version.equals("v1beta1"))) {
      return null;
    }
    return switch (as) {
      case "Table" -> Form.TABLE;
      case "PartialObjectMetadata", "PartialObjectMetadataList" -> Form.METADATA;
      default -> null;
    };
  }

  private static Map<String, String> parameters(String[] parts) {
    var parameters = new LinkedHashMap<String, String>();
    for (int i = 1; i < parts.length; i++) {
      int at = parts[i].indexOf('=');
      if (at > 0) {
        parameters.put(parts[i].substring(0, at).strip(), parts[i].substring(at + 1).strip());
      }
    }
    return parameters;
  }
}
