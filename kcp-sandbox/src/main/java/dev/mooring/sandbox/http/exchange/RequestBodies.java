package dev.mooring.sandbox.http.exchange;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.KubernetesGroups;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.registry.WriteContext.FieldValidation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.codec.GoJson;
import dev.mooring.sandbox.codec.KubeProtobuf;
import dev.mooring.sandbox.codec.YamlText;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;

/** Reads request bodies into trees, and finds out whether they are what the URL says. */
public final class RequestBodies {
  private static final List<String> MEDIA_TYPES =
      List.of("application/json", "application/yaml", KubeProtobuf.MEDIA_TYPE);
  private static final String NO_KIND =
      "no kind \"%s\" is registered for version \"%s\" in scheme"
          + " \"k8s.io/apimachinery@v0.0.0-20260602065202-e006560fc76a/pkg/runtime/scheme.go:111\"";
  private static final String NO_TYPE = "couldn't get version/kind; json parse error: ";
  private static final String NO_YAML = "error converting YAML to JSON: ";
  private static final int QUOTED_MAX = 30;

  /** Fields of {@code metav1.DeleteOptions} with what Go reads them into. */
  private static final Map<String, String> OPTION_TYPES =
      Map.of(
          "dryRun", "[]string",
          "gracePeriodSeconds", "int64",
          "orphanDependents", "bool",
          "preconditions", "v1.Preconditions",
          "propagationPolicy", "v1.DeletionPropagation");

  private static final String GO_STRUCT =
      "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string"
          + " \"json:\\\"kind,omitempty\\\"\" }";

  private RequestBodies() {}

  /** The media type without parameters, lower case; JSON if there is none. */
  public static String mediaType(Exchange exchange) {
    String type = exchange.header(HttpHeader.CONTENT_TYPE);
    String bare = type.split(";", 2)[0].strip().toLowerCase(java.util.Locale.ROOT);
    return bare.isEmpty() ? "application/json" : bare;
  }

  /** The media type of a PATCH without parameters, as it was sent. */
  public static String patchType(Exchange exchange) {
    return exchange.header(HttpHeader.CONTENT_TYPE).split(";", 2)[0];
  }

  /** The body as it is. */
  public static byte[] bytes(Exchange exchange) {
    return exchange.body();
  }

  /**
   * An object of the given kind, with kind and version as the URL says where it has none.
   *
   * @param context notes what the body says twice
   */
  public static KubeObject object(
      Exchange exchange,
      ResourceDefinition definition,
      WriteContext context,
      String apiVersion,
      String kind) {
    boolean custom = definition.origin() == Origin.CUSTOM;
    String mediaType = mediaType(exchange);
    boolean readable =
        !mediaType.equals(KubeProtobuf.MEDIA_TYPE)
            || !custom
            || KubernetesGroups.contains(definition.type().group());
    if (!MEDIA_TYPES.contains(mediaType) || !readable) {
      throw ApiFailure.unsupportedMediaType(MEDIA_TYPES);
    }
    byte[] body = exchange.body();
    Map<String, Object> tree =
        switch (mediaType) {
          case KubeProtobuf.MEDIA_TYPE -> protobuf(body, kind);
          case "application/yaml" -> tree(body, true, kind);
          default -> tree(body, false, kind);
        };
    if (context.fieldValidation() != FieldValidation.IGNORE) {
      switch (mediaType) {
        case KubeProtobuf.MEDIA_TYPE -> context.noteRepeatedFields(List.of());
        case "application/yaml" -> context.noteRepeatedFields(YamlText.repeatedKeys(text(body)));
        default -> {
          context.noteRepeatedFields(GoJson.strictFaults(body, List.of()));
          if (!custom && !context.repeatedFields().isEmpty()) {
            context.noteStrictReader(unknown -> GoJson.strictFaults(body, unknown));
          }
        }
      }
    }
    return typed(tree, definition, apiVersion, kind, body);
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }

  private static Map<String, Object> protobuf(byte[] body, String kind) {
    try {
      return KubeProtobuf.read(body);
    } catch (MalformedJson e) {
      throw unrecognized(kind, String.valueOf(e.getMessage()), body);
    }
  }

  private static ApiFailure unrecognized(String kind, String why, byte[] body) {
    return ApiFailure.badRequest(
        "the object provided is unrecognized (must be of type %s): %s (%s)"
            .formatted(kind, why, summary(body)));
  }

  /** The beginning of a body: as it is if it looks like JSON, else in hexadecimal digits. */
  private static String summary(byte[] body) {
    int length = Math.min(body.length, QUOTED_MAX);
    String more = body.length > QUOTED_MAX ? " ..." : "";
    return body.length == 0
        ? "<empty>"
        : body[0] == '{'
            ? new String(body, 0, length, StandardCharsets.UTF_8) + more
            : HexFormat.of().formatHex(body, 0, length) + more;
  }

  /**
   * @param kind empty for options, of which complaints do not name the kind
   */
  private static Map<String, Object> tree(byte[] body, boolean yaml, String kind) {
    try {
      Object document = yaml ? YamlText.readSorted(text(body)) : GoJson.read(body);
      if (document != null && !(document instanceof Map<?, ?>)) {
        throw new MalformedJson(
            "json: cannot unmarshal %s into Go value of type %s"
                .formatted(GoText.jsonKind(document), GO_STRUCT));
      }
      for (String field : List.of("kind", "apiVersion")) {
        Object text = Trees.at(document, field);
        if (text != null && !(text instanceof String)) {
          throw new MalformedJson(
              "json: cannot unmarshal %s into Go struct field .%s of type string"
                  .formatted(GoText.jsonKind(text), field));
        }
      }
      return Trees.mapOrEmpty(document);
    } catch (MalformedJson e) {
      String message = String.valueOf(e.getMessage());
      if (kind.isEmpty()) {
        throw ApiFailure.badRequest(NO_TYPE + message);
      }
      throw unrecognized(
          kind,
          message.startsWith(NO_YAML) ? message.substring(NO_YAML.length()) : NO_TYPE + message,
          body);
    }
  }

  private static KubeObject typed(
      Map<String, Object> tree,
      ResourceDefinition definition,
      String apiVersion,
      String kind,
      byte[] body) {
    KubeObject object = KubeObject.owning(tree);
    String givenVersion = object.apiVersion().isEmpty() ? apiVersion : object.apiVersion();
    String givenKind = object.kind().isEmpty() ? kind : object.kind();
    if (definition.origin() == Origin.CUSTOM) {
      if (object.kind().isEmpty()) {
        throw unrecognized(
            kind,
            "Object 'Kind' is missing in '" + new String(body, StandardCharsets.UTF_8) + "'",
            body);
      }
      // Its strategy compares the type with its own words.
      return object;
    }
    if (givenVersion.indexOf('/') != givenVersion.lastIndexOf('/')) {
      throw unrecognized(kind, "unexpected GroupVersion string: " + givenVersion, body);
    }
    if (!givenKind.equals(kind) || !givenVersion.equals(apiVersion)) {
      String why =
          givenKind.equals(kind)
                  || !KubeProtobuf.knows(givenVersion, givenKind.replaceFirst("List$", ""))
              ? NO_KIND.formatted(givenKind, givenVersion)
              : "converting (%s.%s) to (%s.%s): unknown conversion"
                  .formatted(version(givenVersion), givenKind, hub(apiVersion), kind);
      throw ApiFailure.badRequest(
          "%s in version \"%s\" cannot be handled as a %s: %s"
              .formatted(givenKind, version(givenVersion), kind, why));
    }
    return object.with(kind, "kind").with(apiVersion, "apiVersion");
  }

  /** What Go calls the package of a group's own types. */
  private static String hub(String apiVersion) {
    return apiVersion.contains("/") ? apiVersion.split("[./]", 2)[0] : "core";
  }

  private static String version(String apiVersion) {
    return apiVersion.substring(apiVersion.indexOf('/') + 1);
  }

  private static KubeObject queryOptions(Exchange exchange) {
    var options = new LinkedHashMap<String, Object>();
    if (exchange.has("dryRun")) {
      options.put("dryRun", exchange.all("dryRun"));
    }
    Trees.putUnlessEmpty(options, "propagationPolicy", exchange.query("propagationPolicy"));
    String grace = exchange.query("gracePeriodSeconds");
    if (!grace.isEmpty()) {
      options.put("gracePeriodSeconds", number(grace));
    }
    if (exchange.has("orphanDependents")) {
      options.put("orphanDependents", exchange.flag("orphanDependents"));
    }
    return KubeObject.of(options);
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw ApiFailure.badRequest(
          "strconv.ParseInt: parsing " + GoText.quote(text) + ": invalid syntax");
    }
  }

  /** Options are read into a Go struct. */
  private static void requireOptionTypes(KubeObject options) {
    OPTION_TYPES.forEach((field, type) -> {
      Object value = options.at(field);
      boolean fits =
          switch (type) {
            case "[]string" -> value instanceof List<?>;
            case "int64" -> value instanceof Long;
            case "bool" -> value instanceof Boolean;
            case "v1.Preconditions" -> value instanceof Map<?, ?>;
            default -> value instanceof String;
          };
      if (value != null && !fits) {
        throw ApiFailure.badRequest(
            "json: cannot unmarshal %s into Go struct field DeleteOptions.%s of type %s"
                .formatted(GoText.jsonKind(value), field, type));
      }
    });
  }

  private static Map<String, Object> protobufOptions(byte[] body) {
    try {
      return KubeProtobuf.read(body);
    } catch (MalformedJson e) {
      throw ApiFailure.badRequest(String.valueOf(e.getMessage()));
    }
  }

  /**
   * The body of a DELETE, in protobuf for every type. Where there is none the query says the same;
   * where there is one the query says nothing.
   */
  public static KubeObject deleteOptions(Exchange exchange) {
    byte[] body = exchange.body();
    if (body.length == 0) {
      return queryOptions(exchange);
    }
    KubeObject options =
        KubeObject.owning(
            switch (mediaType(exchange)) {
              case "application/json" -> tree(body, false, "");
              case "application/yaml" -> tree(body, true, "");
              case KubeProtobuf.MEDIA_TYPE -> protobufOptions(body);
              default -> throw ApiFailure.unsupportedMediaType(MEDIA_TYPES);
            });
    if (!options.kind().isEmpty() && !options.kind().equals("DeleteOptions")) {
      String version = options.apiVersion().isEmpty() ? "meta.k8s.io/v1" : options.apiVersion();
      throw ApiFailure.badRequest(NO_KIND.formatted(options.kind(), version));
    }
    requireOptionTypes(options);
    return options;
  }

  /**
   * The fields that a server-side apply wants. Throws {@link ApiFailure} 400.
   *
   * @param context notes what the body says twice
   */
  public static KubeObject applied(Exchange exchange, WriteContext context) {
    String body = text(exchange.body());
    try {
      Object tree = YamlText.read(body);
      if (tree != null && !(tree instanceof Map<?, ?>)) {
        throw new MalformedJson(
            "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal %s into Go value"
                    .formatted(GoText.jsonKind(tree))
                + " of type map[string]interface {}");
      }
      context.noteRepeatedFields(
          context.fieldValidation() == FieldValidation.IGNORE
              ? List.of()
              : YamlText.repeatedKeys(body));
      return KubeObject.owning(Trees.mapOrEmpty(tree));
    } catch (MalformedJson e) {
      throw ApiFailure.badRequest("error decoding YAML: " + e.getMessage());
    }
  }
}
