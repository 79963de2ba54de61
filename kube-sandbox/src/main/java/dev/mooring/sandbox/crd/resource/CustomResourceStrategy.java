package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.builtin.typed.TypedDecoder;
import dev.mooring.sandbox.schema.CompiledSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a custom resource is written: as its schema says (apiextensions {@code
 * pkg/registry/customresource/strategy.go}).
 *
 * @param deprecation the warning that every use of the version earns, if it is deprecated
 * @param hasStatus whether the status is written apart from the rest
 * @param terminating whether the resource's definition is being deleted
 */
record CustomResourceStrategy(
    ResourceType type,
    String kind,
    CompiledSchema schema,
    Optional<String> deprecation,
    boolean hasStatus,
    ScaleCheck scale,
    boolean terminating)
    implements ResourceStrategy, ResourceDefinition.Decoder {

  @Override
  public Generation generation() {
    return Generation.COUNTED;
  }

  @Override
  public PutRules putRules() {
    return new PutRules(false, false);
  }

  @Override
  public KubeObject decode(KubeObject body, WriteContext context) {
    requireKind(body);
    if (!body.apiVersion().equals(type.apiVersion())) {
      throw ApiFailure.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(body.apiVersion(), type.apiVersion()));
    }
    require(body, "kind", body.kind(), kind);
    return read(body, context);
  }

  @Override
  public KubeObject decodePatched(KubeObject patched, WriteContext context) {
    requireKind(patched);
    if (patched.apiVersion().isEmpty()) {
      throw ApiFailure.internal(
          "Object 'apiVersion' is missing in 'object has no apiVersion field'");
    }
    require(patched, "apiVersion", patched.apiVersion(), type.apiVersion());
    require(patched, "kind", patched.kind(), kind);
    return read(patched, context);
  }

  private void requireKind(KubeObject body) {
    if (body.kind().isEmpty()) {
      String why = "Object 'Kind' is missing in '" + KubeJson.writeText(body.tree()) + "'";
      throw new UnreadableObject(
          "the object provided is unrecognized (must be of type %s): %s".formatted(kind, why), why);
    }
  }

  private void require(KubeObject body, String field, String given, String wanted) {
    if (!given.equals(wanted)) {
      throw ApiFailure.invalid(
          type.group(),
          body.kind(),
          body.name(),
          List.of(FieldError.invalid(field, given, "must be " + wanted)));
    }
  }

  /**
   * Without the fields that the schema does not know, which are reported or refused, as the client
   * asked; throws {@link UnreadableObject}, also for metadata of a wrong type.
   */
  private KubeObject read(KubeObject body, WriteContext context) {
    var unknown = new ArrayList<String>();
    KubeObject typed = TypedDecoder.decodeMetadata(body, kind, unknown);
    CompiledSchema.Pruned pruned = schema.prune(typed);
    unknown.addAll(pruned.unknownFields());
    List<String> complaints = context.strictComplaints(unknown);
    switch (context.fieldValidation()) {
      case IGNORE -> {}
      case WARN -> complaints.forEach(context::warn);
      case STRICT -> {
        if (!complaints.isEmpty()) {
          String why = "strict decoding error: " + String.join(", ", complaints);
          throw UnreadableObject.of(kind, type.version(), why);
        }
      }
    }
    return pruned.object();
  }

  @Override
  public Offer offer() {
    return terminating ? Offer.DELETIONS : Offer.ALL;
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    return schema.applyDefaults(object);
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    if (terminating) {
      throw ApiFailure.forbidden(
          type,
          object.name(),
          "create not allowed while custom resource definition is terminating");
    }
    // A status that only defaults fill shows from the first read on.
    return hasStatus && object.at("status") != null
        ? schema.applyDefaults(object.without("status"))
        : object;
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return hasStatus ? withStatusOf(current, updated) : updated;
  }

  private static KubeObject withStatusOf(KubeObject status, KubeObject object) {
    return status.tree().containsKey("status")
        ? object.with(status.at("status"), "status")
        : object.without("status");
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    return schema.validate(object, scale.all(object));
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return schema.validateUpdate(
        updated, current, scale.all(updated), tolerated -> context.warn(tolerated.toString()));
  }

  /** How the status is written: nothing else changes with it. */
  ResourceStrategy ofStatus() {
    return new ResourceStrategy() {
      @Override
      public Generation generation() {
        return Generation.COUNTED;
      }

      @Override
      public PutRules putRules() {
        return new PutRules(false, false);
      }

      @Override
      public KubeObject applyDefaults(KubeObject object) {
        return schema.applyDefaults(object);
      }

      @Override
      public KubeObject prepareForUpdate(
          KubeObject updated, KubeObject current, WriteContext context) {
        return withStatusOf(updated, current).withPartOf(updated, "metadata", "managedFields");
      }

      @Override
      public List<FieldError> validateUpdate(
          KubeObject updated, KubeObject current, WriteContext context) {
        return schema.validateStatusUpdate(
            updated,
            current,
            scale.status(updated),
            tolerated -> context.warn(tolerated.toString()));
      }
    };
  }
}
