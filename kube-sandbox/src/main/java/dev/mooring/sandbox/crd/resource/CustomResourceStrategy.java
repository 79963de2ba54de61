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
import dev.mooring.sandbox.schema.CompiledSchema;
import java.util.List;
import java.util.Optional;

/**
 * How a custom resource is written: as its schema says (apiextensions {@code
 * pkg/registry/customresource/strategy.go}).
 */
final class CustomResourceStrategy implements ResourceStrategy, ResourceDefinition.Decoder {
  private final CustomResource resource;
  private final CustomVersion version;
  private final ResourceType type;
  private final CompiledSchema schema;
  private final UnknownFields unknownFields;
  private final ScaleCheck scale;

  CustomResourceStrategy(
      CustomResource resource, CustomVersion version, ResourceType type, CompiledSchema schema) {
    this.resource = resource;
    this.version = version;
    this.type = type;
    this.schema = schema;
    this.unknownFields = new UnknownFields(schema, type, resource.names().kind());
    this.scale = new ScaleCheck(version.scale());
  }

  @Override
  public Optional<String> deprecation() {
    return version.deprecation();
  }

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
    checkType(body);
    return read(body, context);
  }

  @Override
  public KubeObject decodePatched(KubeObject patched, WriteContext context) {
    requireKind(patched);
    if (patched.apiVersion().isEmpty()) {
      throw ApiFailure.internal(
          "Object 'apiVersion' is missing in 'object has no apiVersion field'");
    }
    if (!patched.apiVersion().equals(type.apiVersion())) {
      throw ApiFailure.invalid(
          type.group(),
          patched.kind(),
          patched.name(),
          List.of(
              FieldError.invalid(
                  "apiVersion", patched.apiVersion(), "must be " + type.apiVersion())));
    }
    requireRightKind(patched);
    return read(patched, context);
  }

  private KubeObject read(KubeObject body, WriteContext context) {
    return unknownFields.removed(body, context);
  }

  private void checkType(KubeObject body) {
    String kind = resource.names().kind();
    requireKind(body);
    if (!body.apiVersion().equals(type.apiVersion())) {
      throw ApiFailure.badRequest(
          ("the API version in the data (%s) does not match the expected API version " + "(%s)")
              .formatted(body.apiVersion(), type.apiVersion()));
    }
    requireRightKind(body);
  }

  private void requireKind(KubeObject body) {
    if (body.kind().isEmpty()) {
      String why = "Object 'Kind' is missing in '" + KubeJson.writeText(body.tree()) + "'";
      throw new UnreadableObject(
          "the object provided is unrecognized (must be of type %s): %s"
              .formatted(resource.names().kind(), why),
          why);
    }
  }

  private void requireRightKind(KubeObject body) {
    String kind = resource.names().kind();
    if (!body.kind().equals(kind)) {
      throw ApiFailure.invalid(
          type.group(),
          body.kind(),
          body.name(),
          List.of(FieldError.invalid("kind", body.kind(), "must be " + kind)));
    }
  }

  @Override
  public Offer offer() {
    return switch (resource.life()) {
      case ACTIVE -> Offer.ALL;
      case TERMINATING -> Offer.DELETIONS;
    };
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    return schema.applyDefaults(object);
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    if (resource.life() == CustomResource.Life.TERMINATING) {
      throw ApiFailure.forbidden(
          type,
          object.name(),
          "create not allowed while custom resource definition is terminating");
    }
    // A status that only defaults fill shows from the first read on.
    return hasStatusPart() && object.at("status") != null
        ? schema.applyDefaults(object.without("status"))
        : object;
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    if (!hasStatusPart()) {
      return updated;
    }
    return current.tree().containsKey("status")
        ? updated.with(current.at("status"), "status")
        : updated.without("status");
  }

  private boolean hasStatusPart() {
    return version.status() == CustomVersion.StatusPart.SUBRESOURCE;
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

  ScaleCheck scale() {
    return scale;
  }
}
