package dev.mooring.sandbox.http.exchange;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
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
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;

/** Reads request bodies into trees, and finds out whether they are what the URL says. */
public final class RequestBodies {
  private static final List<String> MEDIA_TYPES =
      List.of("application/json", "application/yaml", KubeProtobuf.MEDIA_TYPE);
  private static final String NO_TYPE = "couldn't get version/kind; json parse error: ";
  private static final int QUOTED_MAX = 64;

  private RequestBodies() {}

  /** The media type without parameters, lower case; JSON if there is none. */
  public static String mediaType(Exchange exchange) {
    String type = exchange.header(HttpHeader.CONTENT_TYPE);
    String bare = type.split(";", 2)[0].strip().toLowerCase(java.util.Locale.ROOT);
    return bare.isEmpty() || bare.equals("*/*") ? "application/json" : bare;
  }

  /** The media type of a PATCH without parameters, as it was sent. */
  public static String patchType(Exchange exchange) {
    return exchange.header(HttpHeader.CONTENT_TYPE).split(";", 2)[0];
  }

  /** The body as it is. */
  public static byte[] bytes(Exchange exchange) {
    return exchange.body();
  }

  /** What a JSON text says more than once, one complaint a field. */
  public static List<String> repeatedFields(byte[] json) {
    return GoJson.duplicateFields(json).stream()
        .map(field -> "duplicate field \"" + field + "\"")
        .toList();
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
    if (!MEDIA_TYPES.contains(mediaType) || custom && mediaType.equals(KubeProtobuf.MEDIA_TYPE)) {
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
      context.noteRepeatedFields(
          switch (mediaType) {
            case KubeProtobuf.MEDIA_TYPE -> List.of();
            case "application/yaml" -> YamlText.repeatedKeys(text(body));
            default -> repeatedFields(body);
          });
    }
    return typed(tree, definition, apiVersion, kind);
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
        "the object provided is unrecognized (must be of type %s): %s (%s%s)"
            .formatted(
                kind,
                why,
                HexFormat.of().formatHex(body, 0, Math.min(body.length, QUOTED_MAX)),
                body.length > QUOTED_MAX ? " ..." : ""));
  }

  private static Map<String, Object> tree(byte[] body, boolean yaml, String kind) {
    try {
      Object document = yaml ? YamlText.read(text(body)) : GoJson.read(body);
      if (document instanceof Map<?, ?>) {
        return Trees.mapOrEmpty(document);
      }
      throw new MalformedJson(
          "json: cannot unmarshal %s into Go value of type struct"
              .formatted(GoText.jsonKind(document)));
    } catch (MalformedJson e) {
      String message = String.valueOf(e.getMessage());
      if (kind.isEmpty()) {
        throw ApiFailure.badRequest(NO_TYPE + message);
      }
      throw unrecognized(
          kind,
          yaml ? message.replace("error converting YAML to JSON: ", "") : NO_TYPE + message,
          body);
    }
  }

  private static KubeObject typed(
      Map<String, Object> tree, ResourceDefinition definition, String apiVersion, String kind) {
    KubeObject object = KubeObject.owning(tree);
    String givenVersion = object.apiVersion();
    String givenKind = object.kind();
    if (definition.origin() == Origin.CUSTOM) {
      // Its strategy compares the type with its own words.
      return object;
    }
    if (!givenKind.isEmpty() && !givenKind.equals(kind)
        || !givenVersion.isEmpty() && !givenVersion.equals(apiVersion)) {
      throw ApiFailure.badRequest(
          ("%s in version \"%s\" cannot be handled as a %s: converting (%s.%s) to "
                  + "(%s.%s): unknown conversion")
              .formatted(
                  givenKind.isEmpty() ? kind : givenKind,
                  version(givenVersion.isEmpty() ? apiVersion : givenVersion),
                  kind,
                  givenVersion,
                  givenKind,
                  apiVersion,
                  kind));
    }
    return object.with(kind, "kind").with(apiVersion, "apiVersion");
  }

  private static String version(String apiVersion) {
    return apiVersion.substring(apiVersion.indexOf('/') + 1);
  }

  /** The body of a DELETE, in protobuf for every type; empty if there is none. */
  public static KubeObject deleteOptions(Exchange exchange) {
    byte[] body = exchange.body();
    if (body.length == 0) {
      return KubeObject.of(Map.of());
    }
    KubeObject options =
        KubeObject.owning(
            switch (mediaType(exchange)) {
              case "application/json" -> tree(body, false, "");
              case "application/yaml" -> tree(body, true, "");
              case KubeProtobuf.MEDIA_TYPE -> protobuf(body, "DeleteOptions");
              default -> throw ApiFailure.unsupportedMediaType(MEDIA_TYPES);
            });
    if (!options.kind().isEmpty() && !options.kind().equals("DeleteOptions")) {
      throw ApiFailure.badRequest(
          ("no kind \"%s\" is registered for version \"%s\" in scheme "
                  + "\"k8s.io/apimachinery/pkg/runtime/scheme.go\"")
              .formatted(options.kind(), options.apiVersion()));
    }
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
