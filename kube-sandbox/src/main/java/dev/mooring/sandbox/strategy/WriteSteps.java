package dev.mooring.sandbox.strategy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.fields.FieldSchema;
import dev.mooring.sandbox.fields.ManagedFields;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The steps that all writes share; {@link WritePipeline} puts them in order. */
record WriteSteps(AdmissionChain admission, Clock clock) {
  /** In RFC 3339, to the second, as Kubernetes writes time. */
  String now() {
    return Instant.now(clock).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** With managed fields as they were, if admission has broken them. */
  KubeObject mutate(AdmissionRequest request, WriteContext context) {
    KubeObject mutated =
        withoutRepeatedOwners(
            admission.mutate(request, context::warn), context, " after mutating admission happens");
    String fault = ManagedFields.fault(mutated.list("metadata", "managedFields"));
    if (fault.isEmpty()) {
      return mutated;
    }
    context.warn(
        ".metadata.managedFields was in an invalid state after admission; this could be caused by an"
            + " outdated mutating admission controller; please fix your requests: "
            + fault);
    return mutated.withPartOf(request.object().orElseThrow(), "metadata", "managedFields");
  }

  /** Without owner references that are there twice, of which the client is warned. */
  static KubeObject withoutRepeatedOwners(KubeObject object, WriteContext context, String when) {
    List<Object> owners = object.list("metadata", "ownerReferences");
    var once = new ArrayList<Object>();
    var repeated = new ArrayList<String>();
    for (Object owner : owners) {
      if (once.contains(owner)) {
        repeated.add(Trees.text(owner, "uid"));
      } else {
        once.add(owner);
      }
    }
    if (repeated.isEmpty()) {
      return object;
    }
    context.warn(
        ".metadata.ownerReferences contains duplicate entries"
            + when
            + "; API server dedups owner references in 1.20+, and may reject such requests as early as"
            + " 1.24; please fix your requests; duplicate UID(s) observed: "
            + String.join(", ", repeated));
    return object.with(once, "metadata", "ownerReferences");
  }

  void admit(AdmissionRequest request, WriteContext context) {
    admission.validate(request, context::warn);
  }

  static AdmissionRequest createRequest(
      WriteTarget target, WriteContext context, String name, KubeObject object) {
    return request(
        Operation.CREATE,
        target,
        context,
        name,
        Optional.of(object),
        Optional.empty(),
        options("CreateOptions", context));
  }

  static AdmissionRequest request(
      Operation operation,
      WriteTarget target,
      WriteContext context,
      String name,
      Optional<KubeObject> object,
      Optional<KubeObject> previous,
      Map<String, Object> options) {
    return new AdmissionRequest(
        operation,
        target.definition(),
        context.cluster(),
        context.namespace(),
        name,
        target.subresource(),
        context.user(),
        object,
        previous,
        context.effect(),
        options);
  }

  /**
   * @param kind such as {@code CreateOptions}
   */
  static Map<String, Object> options(String kind, WriteContext context) {
    var options =
        Trees.orderedNonEmpty(
            "kind",
            kind,
            "apiVersion",
            "meta.k8s.io/v1",
            "dryRun",
            context.dryRun() ? List.of("All") : List.of());
    options.putAll(context.givenOptions());
    return options;
  }

  /**
   * @param given the object as the client sent it
   */
  KubeObject managed(
      Map<String, Object> before,
      KubeObject after,
      KubeObject given,
      WriteTarget target,
      WriteContext context) {
    return ManagedFields.afterUpdate(
        before,
        after,
        sent(target.definition(), given),
        FieldSchema.root(target.definition().schema()),
        target.writer(context, now()));
  }

  /** An object as it is before a client says anything, with what Go never leaves out. */
  static Map<String, Object> blank(ResourceDefinition definition, WriteContext context) {
    String version = definition.type().apiVersion();
    return definition.origin() == ResourceDefinition.Origin.CUSTOM
        ? Map.of()
        : definition
            .decode(
                KubeObject.of(Map.of("kind", definition.kind(), "apiVersion", version)),
                WriteContext.internal(context.cluster(), context.namespace(), ""))
            .tree();
  }

  /** An empty list reads as none where Kubernetes knows no type. */
  private static @Nullable Object sent(ResourceDefinition definition, KubeObject given) {
    Object managedFields = given.at("metadata", "managedFields");
    boolean custom = definition.origin() == ResourceDefinition.Origin.CUSTOM;
    return custom && List.of().equals(managedFields) ? null : managedFields;
  }

  static KubeObject normalize(
      ResourceDefinition definition, KubeObject object, WriteContext context) {
    return SystemMetadata.normalize(
        object, definition.type().apiVersion(), definition.kind(), context.cluster());
  }

  static void requireValid(
      ResourceDefinition definition, KubeObject object, List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw ApiFailure.invalid(
          definition.resourceKey().group(), definition.kind(), object.name(), errors);
    }
  }

  static ApiFailure unnamed(String name) {
    return ApiFailure.badRequest(
        "the name of the object (%s based on URL) was undeterminable: name must be provided"
            .formatted(name));
  }

  /** A body that names another kind, object or namespace than the URL does. */
  static KubeObject requireAddressed(
      ResourceDefinition definition, KubeObject body, WriteContext context, String name) {
    if (definition.namespaced()) {
      String namespace = body.namespace();
      if (!namespace.isEmpty() && !namespace.equals(context.namespace())) {
        throw ApiFailure.badRequest(
            "the namespace of the provided object does not match the namespace sent on the"
                + " request");
      }
    }
    if (!name.isEmpty()) {
      if (body.name().isEmpty()) {
        throw unnamed(name);
      }
      if (!body.name().equals(name)) {
        throw ApiFailure.badRequest(
            "the name of the object (%s) does not match the name on the URL (%s)"
                .formatted(body.name(), name));
      }
    }
    return definition.namespaced()
        ? body.with(context.namespace(), "metadata", "namespace")
        : body.without("metadata", "namespace");
  }

  /**
   * What a patch made of an object; throws {@link ApiFailure} 422 for one that is none of its kind
   * any more.
   */
  static KubeObject decodePatched(
      ResourceDefinition definition, KubeObject patched, WriteContext context, String name) {
    try {
      KubeObject object =
          definition.origin() == ResourceDefinition.Origin.BUILT_IN
              ? typed(definition, patched, name)
              : patched;
      return definition.decoder().decodePatched(object, context);
    } catch (UnreadableObject unreadable) {
      throw unreadable.afterPatch();
    }
  }

  private static KubeObject typed(ResourceDefinition definition, KubeObject object, String name) {
    if (object.apiVersion().isEmpty()) {
      throw unnamed(name);
    }
    String kind = definition.kind();
    String apiVersion = definition.type().apiVersion();
    boolean same = object.kind().isEmpty() || object.kind().equals(kind);
    if (!same || !object.apiVersion().equals(apiVersion)) {
      String why = "kind must be %s and apiVersion %s".formatted(kind, apiVersion);
      throw new UnreadableObject(why, why);
    }
    return object.with(kind, "kind");
  }
}
