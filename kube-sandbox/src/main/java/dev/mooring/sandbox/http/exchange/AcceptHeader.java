package dev.mooring.sandbox.http.exchange;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.KubeProtobuf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * In which form a client wants its answer: the first of its wishes that can be met, after they are
 * sorted by their quality (apiserver/pkg/endpoints/handlers/negotiation).
 *
 * @param metaVersion of {@code meta.k8s.io}, in which forms other than the object are answered
 */
public record AcceptHeader(Format format, Form form, String metaVersion) {
  /** The syntax. */
  public enum Format {
    JSON("application/json"),
    YAML("application/yaml"),
    PROTOBUF(KubeProtobuf.MEDIA_TYPE);

    private final String mediaType;

    Format(String mediaType) {
      this.mediaType = mediaType;
    }

    public String mediaType() {
      return mediaType;
    }

    /** Of a stream of events. */
    String streamType() {
      return switch (this) {
        case JSON -> mediaType;
        case YAML, PROTOBUF -> mediaType + ";stream=watch";
      };
    }
  }

  /** Which form of an object or list is answered. */
  public enum Form {
    OBJECT,
    TABLE,
    METADATA,
    METADATA_LIST
  }

  /** In which syntax objects are offered; their metadata alone is offered in each. */
  public enum Offer {
    EVERY_FORMAT,
    TEXT_ONLY
  }

  public static final AcceptHeader DEFAULT = new AcceptHeader(Format.JSON, Form.OBJECT, "v1");

  private static final String META = "meta.k8s.io";
  private static final Set<String> META_VERSIONS = Set.of("v1", "v1beta1");
  private static final String AVAILABLE =
      "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml,"
          + " application/vnd.kubernetes.protobuf";
  private static final Set<String> ROUTED =
      Set.of("application/json", "application/yaml", KubeProtobuf.MEDIA_TYPE, "*/*");

  /** One wish of a client. */
  private record Clause(
      String type, String subtype, double quality, Map<String, String> parameters) {
    Stream<Format> formats() {
      String all = type.equals("*") && subtype.equals("*") ? "application/*" : type + "/" + subtype;
      return Stream.of(Format.values())
          .filter(format -> all.equals("application/*") || all.equals(format.mediaType()));
    }

    /** As Go's library sorts: no order for all, but every insertion uses it. */
    boolean isBefore(Clause other) {
      return quality > other.quality
          || !type.equals("*") && other.type.equals("*")
          || !subtype.equals("*") && other.subtype.equals("*");
    }
  }

  public String metaApiVersion() {
    return META + "/" + metaVersion;
  }

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

  /** For a watch, of which YAML cannot be streamed. Throws {@link ApiFailure} 406. */
  public static AcceptHeader ofStream(String accept, Offer offer) {
    AcceptHeader accepted = of(accept, offer);
    if (accepted.format() == Format.YAML) {
      throw notAcceptable(
          "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch");
    }
    return accepted;
  }

  /** Throws {@link ApiFailure} 406. */
  public static AcceptHeader of(String accept, Offer offer) {
    if (accept.isEmpty()) {
      return DEFAULT;
    }
    return clauses(accept).stream()
        .flatMap(
            clause -> clause.formats().flatMap(format -> accepted(clause, format, offer).stream()))
        .findFirst()
        .orElseThrow(AcceptHeader::noneAcceptable);
  }

  private static ApiFailure noneAcceptable() {
    return notAcceptable("application/json, application/yaml, application/vnd.kubernetes.protobuf");
  }

  /**
   * The syntax of a document that has one form, which the client may have to ask for.
   *
   * @param form the parameters that ask for it, such as {@code ;g=a;v=b;as=c}; empty for none
   * @throws ApiFailure 406
   */
  public static Format ofForm(String accept, String form) {
    if (accept.isEmpty()) {
      return Format.JSON;
    }
    Map<String, String> asked = parameters(form.split(";"));
    return clauses(accept).stream()
        .filter(clause ->
            hasForm(clause.parameters()) == !asked.isEmpty()
                && clause.parameters().entrySet().containsAll(asked.entrySet()))
        .flatMap(Clause::formats)
        .findFirst()
        .orElseThrow(AcceptHeader::noneAcceptable);
  }

  /** Whether any of the client's wishes is an object's metadata alone. */
  public static boolean wantsMetadata(String accept) {
    return clauses(accept).stream()
        .map(clause -> clause.parameters().getOrDefault("as", ""))
        .anyMatch(as -> as.startsWith("PartialObjectMetadata"));
  }

  /** Of a Status, which has no other form; empty if the client takes none that there is. */
  public static Optional<Format> ofFailure(String accept) {
    if (accept.isEmpty()) {
      return Optional.of(Format.JSON);
    }
    return clauses(accept).stream()
        .filter(clause -> !hasForm(clause.parameters()) && streams(clause.parameters()))
        .flatMap(Clause::formats)
        .findFirst();
  }

  private static ApiFailure notAcceptable(String available) {
    return ApiFailure.of(
        406, "NotAcceptable", "only the following media types are accepted: " + available, null);
  }

  private static Optional<AcceptHeader> accepted(Clause clause, Format format, Offer offer) {
    Map<String, String> parameters = clause.parameters();
    boolean refused =
        !streams(parameters)
            || format == Format.YAML && !parameters.getOrDefault("stream", "").isEmpty()
            || !parameters.getOrDefault("sv", "v1").matches("|v1");
    if (refused) {
      return Optional.empty();
    }
    if (!hasForm(parameters)) {
      return format == Format.PROTOBUF && offer == Offer.TEXT_ONLY
          ? Optional.empty()
          : Optional.of(new AcceptHeader(format, Form.OBJECT, "v1"));
    }
    String version = parameters.getOrDefault("v", "");
    if (!META.equals(parameters.get("g")) || !META_VERSIONS.contains(version)) {
      return Optional.empty();
    }
    return switch (parameters.getOrDefault("as", "")) {
      case "Table" ->
          format == Format.PROTOBUF
              ? Optional.empty()
              : Optional.of(new AcceptHeader(format, Form.TABLE, version));
      case "PartialObjectMetadata" -> Optional.of(new AcceptHeader(format, Form.METADATA, version));
      case "PartialObjectMetadataList" ->
          Optional.of(new AcceptHeader(format, Form.METADATA_LIST, version));
      default -> Optional.empty();
    };
  }

  private static boolean streams(Map<String, String> parameters) {
    return parameters.getOrDefault("stream", "").matches("|watch");
  }

  private static boolean hasForm(Map<String, String> parameters) {
    return parameters.containsKey("as")
        || parameters.containsKey("g")
        || parameters.containsKey("v");
  }

  private static List<Clause> clauses(String accept) {
    var clauses = new ArrayList<Clause>();
    for (String text : accept.split(",")) {
      String[] parts = text.strip().split(";");
      String[] type = parts[0].split("/", -1);
      boolean anything = type.length == 1 && parts[0].strip().equals("*");
      if (type.length != 2 && !anything) {
        continue;
      }
      var parameters = parameters(parts);
      var clause =
          new Clause(
              type[0].strip(),
              anything ? "*" : type[1].strip(),
              quality(parameters.remove("q")),
              parameters);
      int at = clauses.size();
      while (at > 0 && clause.isBefore(clauses.get(at - 1))) {
        at--;
      }
      clauses.add(at, clause);
    }
    return clauses;
  }

  private static double quality(@Nullable String text) {
    try {
      return text == null ? 1 : Double.parseDouble(text);
    } catch (NumberFormatException none) {
      return 0;
    }
  }

  private static Map<String, String> parameters(String[] parts) {
    var parameters = new LinkedHashMap<String, String>();
    for (int i = 1; i < parts.length; i++) {
      String[] pair = parts[i].split("=", -1);
      if (pair.length == 2 && !pair[1].isEmpty()) {
        parameters.put(pair[0].strip(), pair[1].strip());
      }
    }
    return parameters;
  }
}
