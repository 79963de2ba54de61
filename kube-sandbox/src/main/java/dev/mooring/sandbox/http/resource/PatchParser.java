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
import dev.mooring.sandbox.api.request.ApiView;
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
import dev.mooring.sandbox.strategy.Change.Ownership;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * From the body of a PATCH and its media type to what it does to an object. The body is read when
 * the object was found, so that a missing object comes before a malformed patch, as in Kubernetes.
 *
 * @param context notes what the patch says twice
 */
record PatchParser(ResourceDefinition definition, ApiView view, WriteContext context, byte[] body) {
  static final String JSON = "application/json-patch+json";
  static final String MERGE = "application/merge-patch+json";
  static final String STRATEGIC = "application/strategic-merge-patch+json";
  static final String APPLY = "application/apply-patch+yaml";

  private static final Set<String> TYPES = Set.of(JSON, MERGE, STRATEGIC);

  /** As the API server. */
  private static final int OPERATIONS_MAX = 10_000;

  private static final String NO_MERGE_PATCH = "Invalid JSON Patch";
  private static final String UNREADABLE = "error decoding patch: ";
  private static final Set<String> OPERATION_FIELDS = Set.of("op", "path", "from", "value");

  /** Throws {@link ApiFailure} 415 for a patch of an unknown type. */
  static UnaryOperator<KubeObject> of(ResourceEndpoint.Call call, WriteContext context) {
    Exchange exchange = call.exchange();
    ResourceDefinition definition = call.definition();
    var parser = new PatchParser(definition, call.view(), context, exchange.body());
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

  private KubeObject json(KubeObject current) {
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
    return KubeObject.owning(
        Trees.mapOrEmpty(guarded(() -> JsonPatch.apply(current.tree(), operations), "")));
  }

  private void noteComplaints(List<Object> operations) {
    if (!strict()) {
      return;
    }
    var complaints = new ArrayList<>(GoJson.repeatedFields(body));
    int index = 0;
    for (Object operation : operations) {
      for (String field : Trees.mapOrEmpty(operation).keySet()) {
        if (!OPERATION_FIELDS.contains(field)) {
          complaints.add("unknown field \"[" + index + "]." + field + "\"");
        }
      }
      index++;
    }
    context.noteRepeatedFields(complaints.stream().map(fault -> "json patch " + fault).toList());
  }

  private KubeObject merge(KubeObject current) {
    Object patch = strict() ? read(UNREADABLE) : readable();
    if (patch == null) {
      throw ApiFailure.badRequest(NO_MERGE_PATCH);
    }
    Map<String, Object> changes = object(patch, UNREADABLE);
    noteRepeatedFields();
    return MergePatch.apply(current, Trees.mapOrEmpty(prunedLists(changes)));
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

  private KubeObject strategic(KubeObject current) {
    Object patch = read("");
    Map<String, Object> changes = patch == null ? Map.of() : object(patch, "");
    noteRepeatedFields();
    FieldSchema schema = FieldSchema.root(definition.schema());
    Map<String, Object> merged =
        guarded(() -> StrategicMergePatch.apply(current.tree(), changes, schema), "");
    // Its fields are read in the order of their names, its type is that of the resource.
    var sorted = new LinkedHashMap<String, Object>(new TreeMap<>(merged));
    sorted.put("kind", definition.kind());
    sorted.put("apiVersion", definition.type().apiVersion());
    return KubeObject.owning(Trees.owned(sorted));
  }

  private void noteRepeatedFields() {
    if (strict()) {
      context.noteRepeatedFields(GoJson.repeatedFields(body));
    }
  }

  private @Nullable Object read(String prefix) {
    try {
      return KubeJson.read(body);
    } catch (MalformedJson e) {
      throw ApiFailure.badRequest(prefix + e.getMessage());
    }
  }

  private @Nullable Object readable() {
    try {
      return KubeJson.read(body);
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
        case UNFIT, TEST_FAILED ->
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
        prefix + "the patch must be an object, not " + GoText.jsonKind(patch));
  }
}
