package dev.mooring.sandbox.http.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.fields.FieldSchema;
import dev.mooring.sandbox.fields.ServerSideApply;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.http.exchange.RequestBodies;
import dev.mooring.sandbox.patch.JsonPatch;
import dev.mooring.sandbox.patch.PatchFailure;
import dev.mooring.sandbox.patch.StrategicMergePatch;
import dev.mooring.sandbox.strategy.Change;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** From the body of a PATCH and its media type to what it does to an object. */
final class PatchParser {
  static final String JSON = "application/json-patch+json";
  static final String MERGE = "application/merge-patch+json";
  static final String STRATEGIC = "application/strategic-merge-patch+json";
  static final String APPLY = "application/apply-patch+yaml";

  private PatchParser() {}

  /** As the API server. */
  private static final int OPERATIONS_MAX = 10_000;

  /** Throws {@link ApiFailure} 400 for no patch, 415 for one of an unknown type. */
  static UnaryOperator<KubeObject> of(Exchange exchange, ResourceDefinition definition) {
    boolean custom = definition.origin() == Origin.CUSTOM;
    return switch (RequestBodies.mediaType(exchange)) {
      case JSON -> json(RequestBodies.patch(exchange));
      case MERGE -> merge(object(RequestBodies.patch(exchange)));
      case STRATEGIC -> {
        if (custom) {
          throw ApiFailure.unsupportedMediaType(List.of(JSON, MERGE, APPLY));
        }
        yield strategic(object(RequestBodies.patch(exchange)), definition);
      }
      default ->
          throw custom
              ? ApiFailure.unsupportedMediaType(List.of(JSON, MERGE, APPLY))
              : ApiFailure.of(415, "UnsupportedMediaType", "415: Unsupported Media Type", Map.of());
    };
  }

  /** Whether it is a server-side apply. */
  static boolean applies(Exchange exchange) {
    return RequestBodies.mediaType(exchange).equals(APPLY);
  }

  /** Throws {@link ApiFailure} 400 or 422. */
  static Change.Apply apply(Exchange exchange, ResourceDefinition definition) {
    if (exchange.query("fieldManager").isEmpty()) {
      throw ApiFailure.invalidOption(
          "PatchOptions", FieldError.required("fieldManager", "is required for apply patch"));
    }
    KubeObject wanted = KubeObject.owning(object(RequestBodies.patch(exchange)));
    if (!wanted.kind().equals(definition.kind())
        || !wanted.apiVersion().equals(definition.type().apiVersion())) {
      throw ApiFailure.badRequest(
          "invalid object type: " + wanted.apiVersion() + ", Kind=" + wanted.kind());
    }
    if (wanted.at("metadata", "managedFields") != null) {
      throw ApiFailure.badRequest("metadata.managedFields must be nil");
    }
    return new Change.Apply(
        wanted, exchange.flag("force") ? ServerSideApply.Force.YES : ServerSideApply.Force.NO);
  }

  private static UnaryOperator<KubeObject> json(@Nullable Object patch) {
    if (!(patch instanceof List<?> operations)) {
      throw ApiFailure.badRequest(
          "error decoding patch: json: cannot unmarshal object into Go value of type"
              + " jsonpatch.Patch");
    }
    if (operations.size() > OPERATIONS_MAX) {
      throw ApiFailure.of(
          413,
          "RequestEntityTooLarge",
          ("Request entity too large: The allowed maximum operations in a JSON patch is"
                  + " %s, got %s")
              .formatted(OPERATIONS_MAX, operations.size()),
          null);
    }
    return current ->
        guarded(() -> KubeObject.owning(object(JsonPatch.apply(current.tree(), patch))));
  }

  private static UnaryOperator<KubeObject> merge(Map<String, Object> patch) {
    return current -> MergePatch.apply(current, patch);
  }

  private static UnaryOperator<KubeObject> strategic(
      Map<String, Object> patch, ResourceDefinition definition) {
    FieldSchema schema = FieldSchema.root(definition.schema());
    return current ->
        guarded(() -> KubeObject.owning(StrategicMergePatch.apply(current.tree(), patch, schema)));
  }

  private static KubeObject guarded(java.util.function.Supplier<KubeObject> patched) {
    try {
      return patched.get();
    } catch (PatchFailure failure) {
      throw switch (failure.reason()) {
        case MALFORMED -> ApiFailure.badRequest(String.valueOf(failure.getMessage()));
        case UNFIT ->
            ApiFailure.of(
                422,
                "Invalid",
                "the server rejected our request due to an error in our request",
                Map.of());
      };
    }
  }

  private static Map<String, Object> object(@Nullable Object patch) {
    if (patch instanceof Map<?, ?>) {
      return Trees.mapOrEmpty(patch);
    }
    throw ApiFailure.badRequest(
        "error decoding patch: json: cannot unmarshal into Go value of type"
            + " map[string]interface {}");
  }
}
