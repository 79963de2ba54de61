package dev.mooring.sandbox.http.exchange;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.KubeProtobuf;
import dev.mooring.sandbox.codec.YamlText;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** Reads request bodies into trees, and finds out whether they are what the URL says. */
public final class RequestBodies {
  private static final List<String> BUILT_IN_TYPES =
      List.of(
          "application/json",
          "application/yaml",
          "application/vnd.kubernetes.protobuf",
          "application/cbor");
  private static final List<String> CUSTOM_TYPES = List.of("application/json", "application/yaml");
  private static final int QUOTED_MAX = 64;

  private RequestBodies() {}

  /** The media type without parameters, lower case; JSON if there is none. */
  public static String mediaType(Exchange exchange) {
    String type = exchange.header(HttpHeader.CONTENT_TYPE);
    String bare = type.split(";", 2)[0].strip().toLowerCase(java.util.Locale.ROOT);
    return bare.isEmpty() || bare.equals("*/*") ? "application/json" : bare;
  }

  /** An object of the given kind, with kind and version as the URL says where it has none. */
  public static KubeObject object(
      Exchange exchange, ResourceDefinition definition, String apiVersion, String kind) {
    boolean custom = definition.origin() == Origin.CUSTOM;
    String mediaType = mediaType(exchange);
    boolean yaml =
        switch (mediaType) {
          case "application/json" -> false;
          case "application/yaml" -> true;
          case KubeProtobuf.MEDIA_TYPE -> {
            if (custom) {
              throw ApiFailure.unsupportedMediaType(CUSTOM_TYPES);
            }
            yield false;
          }
          default -> throw ApiFailure.unsupportedMediaType(custom ? CUSTOM_TYPES : BUILT_IN_TYPES);
        };
    byte[] body = exchange.body();
    Map<String, Object> tree =
        mediaType.equals(KubeProtobuf.MEDIA_TYPE) ? protobuf(body) : tree(body, yaml, kind);
    return typed(tree, definition, apiVersion, kind);
  }

  private static Map<String, Object> protobuf(byte[] body) {
    try {
      return KubeProtobuf.read(body);
    } catch (MalformedJson e) {
      throw ApiFailure.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, Object> tree(byte[] body, boolean yaml, String kind) {
    try {
      Object document =
          yaml ? YamlText.read(new String(body, StandardCharsets.UTF_8)) : KubeJson.read(body);
      if (document instanceof Map<?, ?>) {
        return Trees.mapOrEmpty(document);
      }
      throw new MalformedJson("json: cannot unmarshal into Go value of type struct");
    } catch (MalformedJson e) {
      throw ApiFailure.badRequest(
          ("the object provided is unrecognized (must be of type %s): couldn't get "
                  + "version/kind; json parse error: %s (%s%s)")
              .formatted(
                  kind,
                  e.getMessage(),
                  HexFormat.of().formatHex(body, 0, Math.min(body.length, QUOTED_MAX)),
                  body.length > QUOTED_MAX ? " ..." : ""));
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
              case "application/json" -> tree(body, false, "DeleteOptions");
              case "application/yaml" -> tree(body, true, "DeleteOptions");
              case KubeProtobuf.MEDIA_TYPE -> protobuf(body);
              default -> throw ApiFailure.unsupportedMediaType(BUILT_IN_TYPES);
            });
    if (!options.kind().isEmpty() && !options.kind().equals("DeleteOptions")) {
      throw ApiFailure.badRequest(
          ("no kind \"%s\" is registered for version \"%s\" in scheme "
                  + "\"k8s.io/apimachinery/pkg/runtime/scheme.go\"")
              .formatted(options.kind(), options.apiVersion()));
    }
    return options;
  }

  /** Any JSON (or YAML) value: a patch. Throws {@link ApiFailure} 400. */
  public static @Nullable Object patch(Exchange exchange) {
    byte[] body = exchange.body();
    try {
      return mediaType(exchange).endsWith("+yaml")
          ? YamlText.read(new String(body, StandardCharsets.UTF_8))
          : KubeJson.read(body);
    } catch (MalformedJson e) {
      throw ApiFailure.badRequest("error decoding patch: " + e.getMessage());
    }
  }
}
