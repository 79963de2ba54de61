package dev.mooring.sandbox.http.exchange;

import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.model.json.KubeJson;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;

/** Reads request bodies into trees, and finds out whether they are what the URL says. */
public final class RequestBodies {
  private static final List<String> MEDIA_TYPES =
      List.of("application/json", "application/yaml", KubeProtobuf.MEDIA_TYPE);
  private static final String OPTIONS = "DeleteOptions";

  /** Fields of {@code metav1.DeleteOptions}, and what they have to be. */
  private static final Map<String, String> OPTION_TYPES =
      Map.of(
          "dryRun", "a list",
          "gracePeriodSeconds", "a whole number",
          "orphanDependents", "a boolean",
          "preconditions", "an object",
          "propagationPolicy", "a string");

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

  /**
   * An object of the given kind, with kind and version as the URL says where it has none.
   *
   * @param context notes what the body says twice
   */
  public static KubeObject object(
      Exchange exchange, ResourceDefinition definition, WriteContext context) {
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
    Map<String, Object> tree = tree(mediaType, body, definition.kind());
    if (context.fieldValidation() != FieldValidation.IGNORE) {
      context.noteRepeatedFields(
          switch (mediaType) {
            case KubeProtobuf.MEDIA_TYPE -> List.of();
            case "application/yaml" -> YamlText.repeatedKeys(text(body));
            default -> GoJson.repeatedFields(body);
          });
    }
    return typed(tree, definition);
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }

  private static ApiFailure unrecognized(String kind, String why) {
    return ApiFailure.badRequest(
        "the object provided is unrecognized (must be of type %s): %s".formatted(kind, why));
  }

  /**
   * @param mediaType one of {@link #MEDIA_TYPES}
   */
  private static Map<String, Object> tree(String mediaType, byte[] body, String kind) {
    try {
      Object document =
          switch (mediaType) {
            case KubeProtobuf.MEDIA_TYPE -> KubeProtobuf.read(body);
            case "application/yaml" -> YamlText.readSorted(text(body));
            default -> KubeJson.read(body);
          };
      if (document != null && !(document instanceof Map<?, ?>)) {
        throw new MalformedJson("it must be an object, not " + GoText.jsonKind(document));
      }
      for (String field : List.of("kind", "apiVersion")) {
        Object text = Trees.at(document, field);
        if (text != null && !(text instanceof String)) {
          throw new MalformedJson(field + " must be a string, not " + GoText.jsonKind(text));
        }
      }
      return Trees.mapOrEmpty(document);
    } catch (MalformedJson e) {
      throw unrecognized(kind, String.valueOf(e.getMessage()));
    }
  }

  private static KubeObject typed(Map<String, Object> tree, ResourceDefinition definition) {
    String apiVersion = definition.type().apiVersion();
    String kind = definition.kind();
    KubeObject object = KubeObject.owning(tree);
    String givenVersion = object.apiVersion().isEmpty() ? apiVersion : object.apiVersion();
    String givenKind = object.kind().isEmpty() ? kind : object.kind();
    if (definition.origin() == Origin.CUSTOM) {
      if (object.kind().isEmpty()) {
        throw unrecognized(kind, "it has no kind");
      }
      // Its strategy compares the type with its own words.
      return object;
    }
    if (givenVersion.indexOf('/') != givenVersion.lastIndexOf('/')) {
      throw unrecognized(kind, "unexpected GroupVersion string: " + givenVersion);
    }
    if (!givenKind.equals(kind) || !givenVersion.equals(apiVersion)) {
      throw ApiFailure.badRequest(
          "%s in version \"%s\" cannot be handled as a %s"
              .formatted(givenKind, version(givenVersion), kind));
    }
    return object.with(kind, "kind").with(apiVersion, "apiVersion");
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
          "strconv.ParseInt: parsing " + GoQuotes.quote(text) + ": invalid syntax");
    }
  }

  private static void requireOptionTypes(KubeObject options) {
    OPTION_TYPES.forEach((field, type) -> {
      Object value = options.at(field);
      boolean fits =
          switch (type) {
            case "a list" -> value instanceof List<?>;
            case "a whole number" -> value instanceof Long;
            case "a boolean" -> value instanceof Boolean;
            case "an object" -> value instanceof Map<?, ?>;
            default -> value instanceof String;
          };
      if (value != null && !fits) {
        throw ApiFailure.badRequest("DeleteOptions: " + field + " must be " + type);
      }
    });
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
    String mediaType = mediaType(exchange);
    if (!MEDIA_TYPES.contains(mediaType)) {
      throw ApiFailure.unsupportedMediaType(MEDIA_TYPES);
    }
    KubeObject options = KubeObject.owning(tree(mediaType, body, OPTIONS));
    if (!options.kind().isEmpty() && !options.kind().equals(OPTIONS)) {
      throw unrecognized(OPTIONS, "its kind is " + options.kind());
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
        throw new MalformedJson("it must be an object, not " + GoText.jsonKind(tree));
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
