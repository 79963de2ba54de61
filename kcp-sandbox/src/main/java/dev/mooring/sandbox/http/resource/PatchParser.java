package dev.mooring.sandbox.http.resource;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.KubernetesGroups;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.registry.WriteContext.FieldValidation;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.codec.GoJson;
import dev.mooring.sandbox.fields.FieldSchema;
import dev.mooring.sandbox.fields.ServerSideApply;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.http.exchange.RequestBodies;
import dev.mooring.sandbox.patch.JsonPatch;
import dev.mooring.sandbox.patch.PatchFailure;
import dev.mooring.sandbox.patch.StrategicMergePatch;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.Change.Form;
import dev.mooring.sandbox.strategy.Change.Ownership;
import dev.mooring.sandbox.strategy.Change.Patched;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * From the body of a PATCH and its media type to what it does to an object. The body is read when
 * the object was found, so that a missing object comes before a malformed patch, as in Kubernetes.
 *
 * @param context notes what the patch says twice
 */
record PatchParser(
    ResourceDefinition definition, RequestScope view, WriteContext context, byte[] body) {
  static final String JSON = "application/json-patch+json";
  static final String MERGE = "application/merge-patch+json";
  static final String STRATEGIC = "application/strategic-merge-patch+json";
  static final String APPLY = "application/apply-patch+yaml";

  private static final Set<String> TYPES = Set.of(JSON, MERGE, STRATEGIC);

  /** As the API server. */
  private static final int OPERATIONS_MAX = 10_000;

  private static final String NO_MERGE_PATCH = "Invalid JSON Patch";
  private static final String METADATA = "metadata";
  private static final String VERSION = "resourceVersion";
  private static final String UNREADABLE = "error decoding patch: ";
  private static final Set<String> OPERATION_FIELDS = Set.of("op", "path", "from", "value");

  /** Throws {@link ApiFailure} 415 for a patch of an unknown type. */
  static Function<KubeObject, Patched> of(ResourceEndpoint.Call call, WriteContext context) {
    Exchange exchange = call.exchange();
    ResourceDefinition definition = call.definition();
    var parser = new PatchParser(definition, call.view(), context, RequestBodies.bytes(exchange));
    String type = RequestBodies.patchType(exchange);
    if (exchange.has("force") && TYPES.contains(type)) {
      throw ApiFailure.invalidOption(
          "PatchOptions",
          FieldError.forbidden("force", "may not be specified for non-apply patch"));
    }
    return switch (type) {
      case JSON -> parser::json;
      case MERGE -> parser::merge;
      case STRATEGIC -> {
        if (definition.origin() == Origin.CUSTOM
            && !KubernetesGroups.contains(definition.type().group())) {
          throw parser.unsupported();
        }
        yield parser::strategic;
      }
      default -> throw parser.unsupported();
    };
  }

  private ApiFailure unsupported() {
    if (view.forwards()) {
      return ApiFailure.unsupportedMediaType(List.of(JSON, MERGE, APPLY));
    }
    return switch (definition.origin()) {
      // The last one twice, as kcp has it.
      case CUSTOM ->
          ApiFailure.unsupportedMediaType(
              KubernetesGroups.contains(definition.type().group())
                  ? List.of(JSON, MERGE, APPLY, STRATEGIC, APPLY)
                  : List.of(JSON, MERGE, APPLY, APPLY));
      case BUILT_IN ->
          ApiFailure.of(415, "UnsupportedMediaType", "415: Unsupported Media Type", Map.of());
    };
  }

  /** Whether it is a server-side apply. */
  static boolean applies(Exchange exchange) {
    return RequestBodies.patchType(exchange).equals(APPLY);
  }

  /** Throws {@link ApiFailure} 400 or 422. */
  static Change.Apply apply(ResourceEndpoint.Call call, WriteContext context) {
    Exchange exchange = call.exchange();
    ResourceDefinition definition = call.definition();
    KubeObject wanted = RequestBodies.applied(exchange, context);
    if (!wanted.kind().equals(definition.kind())
        || !wanted.apiVersion().equals(definition.type().apiVersion())) {
      throw ApiFailure.badRequest(
          "invalid object type: %s%s, Kind=%s"
              .formatted(
                  wanted.apiVersion().contains("/") ? "" : "/",
                  wanted.apiVersion(),
                  wanted.kind()));
    }
    if (wanted.at("metadata", "managedFields") != null) {
      throw ApiFailure.badRequest("metadata.managedFields must be nil");
    }
    return new Change.Apply(
        wanted,
        exchange.flag("force") ? ServerSideApply.Force.YES : ServerSideApply.Force.NO,
        call.view().forwards() ? Ownership.OF_CHANGES : Ownership.AS_APPLIED);
  }

  private boolean strict() {
    return context.fieldValidation() != FieldValidation.IGNORE;
  }

  private Patched json(KubeObject current) {
    List<Object> operations =
        guarded(() -> JsonPatch.operations(read(strict() ? UNREADABLE : "")), UNREADABLE);
    if (operations.size() > OPERATIONS_MAX) {
      throw ApiFailure.of(
          413,
          "RequestEntityTooLarge",
          ("Request entity too large: The allowed maximum operations in a JSON patch is"
                  + " %s, got %s")
              .formatted(OPERATIONS_MAX, operations.size()),
          null);
    }
    noteComplaints(operations);
    return document(
        KubeObject.owning(
            Trees.mapOrEmpty(guarded(() -> JsonPatch.apply(current.tree(), operations), ""))),
        touched(operations));
  }

  /** The fields of the object into which operations look. */
  private static Set<String> touched(List<Object> operations) {
    return operations.stream()
        .flatMap(
            operation -> Stream.of(Trees.text(operation, "path"), Trees.text(operation, "from")))
        .map(path -> path.split("/"))
        .filter(steps -> steps.length > 2)
        .map(steps -> steps[1])
        .collect(Collectors.toSet());
  }

  private void noteComplaints(List<Object> operations) {
    if (!strict()) {
      return;
    }
    var unknown = new ArrayList<String>();
    int index = 0;
    for (Object operation : operations) {
      for (String field : Trees.mapOrEmpty(operation).keySet()) {
        if (!OPERATION_FIELDS.contains(field)) {
          unknown.add("[" + index + "]." + field);
        }
      }
      index++;
    }
    context.noteRepeatedFields(
        GoJson.strictFaults(body, unknown).stream().map(fault -> "json patch " + fault).toList());
  }

  private Patched merge(KubeObject current) {
    Object patch = strict() ? read(UNREADABLE) : readable();
    if (patch == null) {
      throw ApiFailure.badRequest(NO_MERGE_PATCH);
    }
    Map<String, Object> changes = object(patch, UNREADABLE);
    noteRepeatedFields();
    return document(
        MergePatch.apply(current, Trees.mapOrEmpty(prunedLists(changes))), changes.keySet());
  }

  /** As Go's library: maps in lists carry no nulls. */
  private static @Nullable Object prunedLists(@Nullable Object patch) {
    return switch (patch) {
      case Map<?, ?> _ -> {
        var map = new LinkedHashMap<>(Trees.mapOrEmpty(patch));
        map.replaceAll((_, value) -> prunedLists(value));
        yield map;
      }
      case List<?> list ->
          list.stream()
              .map(PatchParser::pruned)
              .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
      case null, default -> patch;
    };
  }

  private static @Nullable Object pruned(@Nullable Object value) {
    Object left = prunedLists(value);
    if (left instanceof Map<?, ?> map) {
      map.values().removeIf(Objects::isNull);
      Trees.mapOrEmpty(map).replaceAll((_, below) -> pruned(below));
    }
    return left;
  }

  private Patched strategic(KubeObject current) {
    Object patch = read("");
    Map<String, Object> changes = patch == null ? Map.of() : object(patch, "");
    noteRepeatedFields();
    FieldSchema schema = FieldSchema.root(definition.schema());
    Map<String, Object> merged =
        guarded(() -> StrategicMergePatch.apply(current.tree(), changes, schema), "");
    // Its fields are read in the order of their names.
    var sorted = new LinkedHashMap<String, Object>(new TreeMap<>(merged));
    return new Patched(
        KubeObject.owning(Trees.owned(sorted)), Form.MAP, () -> GoText.value(changes));
  }

  private void noteRepeatedFields() {
    if (strict()) {
      context.noteRepeatedFields(GoJson.strictFaults(body, List.of()));
    }
  }

  /**
   * As Go writes it: sorted throughout where it knows no type, else at the top and below what the
   * patch touched.
   */
  private Patched document(KubeObject object, Set<String> touched) {
    Supplier<String> text =
        () ->
            switch (definition.origin()) {
              case CUSTOM -> GoText.json(object.tree());
              case BUILT_IN -> GoText.escaped(KubeJson.writeText(typed(object, touched)));
            };
    return new Patched(object, Form.JSON, text);
  }

  /** In the order of Go's struct for metadata, in that of the keys for the rest. */
  private static Map<String, Object> typed(KubeObject object, Set<String> touched) {
    Map<String, Object> tree = new TreeMap<>(object.tree());
    tree.replaceAll((key, value) ->
        value instanceof Map<?, ?> && !key.equals(METADATA)
            ? new TreeMap<>(Trees.mapOrEmpty(value))
            : value);
    var metadata = new LinkedHashMap<String, Object>();
    object
        .map(METADATA)
        .forEach((key, value) -> {
          if (!key.equals(VERSION)) {
            metadata.put(key, value);
          }
          if (key.equals("uid") && object.at(METADATA, VERSION) != null) {
            metadata.put(VERSION, object.resourceVersion());
          }
        });
    metadata.replaceAll(
        (_, value) -> value instanceof Map<?, ?> ? new TreeMap<>(Trees.mapOrEmpty(value)) : value);
    if (!metadata.isEmpty()) {
      tree.put(METADATA, touched.contains(METADATA) ? new TreeMap<>(metadata) : metadata);
    }
    return tree;
  }

  private @Nullable Object read(String prefix) {
    try {
      return GoJson.read(body);
    } catch (MalformedJson e) {
      throw ApiFailure.badRequest(prefix + e.getMessage());
    }
  }

  private @Nullable Object readable() {
    try {
      return GoJson.read(body);
    } catch (MalformedJson e) {
      throw ApiFailure.badRequest(NO_MERGE_PATCH);
    }
  }

  private static <T> T guarded(Supplier<T> patched, String prefix) {
    try {
      return patched.get();
    } catch (PatchFailure failure) {
      throw switch (failure.reason()) {
        case MALFORMED -> ApiFailure.badRequest(prefix + failure.getMessage());
        case UNFIT ->
            ApiFailure.of(
                422,
                "Invalid",
                "the server rejected our request due to an error in our request",
                Map.of());
        case UNEXPECTED -> ApiFailure.of(500, "", String.valueOf(failure.getMessage()), null);
      };
    }
  }

  private static Map<String, Object> object(Object patch, String prefix) {
    if (patch instanceof Map<?, ?>) {
      return Trees.mapOrEmpty(patch);
    }
    throw ApiFailure.badRequest(
        "%sjson: cannot unmarshal %s into Go value of type map[string]interface {}"
            .formatted(prefix, GoText.jsonKind(patch)));
  }
}
