package dev.mooring.sandbox.strategy;

import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.storage.Precondition;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.Change.Ownership;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The way of every write by a user or a controller into the store, and the only place that orders
 * its steps: key, decode, default, mutating admission, prepare, validate, validating admission,
 * store. What differs between resources is their {@link ResourceStrategy}. No lock is held; a write
 * that lost a race is computed again if its client did not name a version.
 */
public final class WritePipeline {
  /** As the API server: a patch that keeps losing races is a conflict after all. */
  private static final int ATTEMPTS_MAX = 20;

  private static final String[] MANAGED = {"metadata", "managedFields"};

  private final ResourceStore store;
  private final NamespaceLifecycle places;
  private final WriteSteps steps;
  private final NameGenerator names;
  private final Supplier<UUID> uids;
  private final Deletion deletion;

  /**
   * @param clusterObjects the object that represents a logical cluster, without which nothing is
   *     created in it; empty for those that have none
   */
  public WritePipeline(
      ResourceStore store,
      AdmissionChain admission,
      NameGenerator names,
      Supplier<UUID> uids,
      Clock clock,
      Function<LogicalCluster, Optional<StorageKey>> clusterObjects) {
    this.store = store;
    this.places = new NamespaceLifecycle(store, clusterObjects);
    this.steps = new WriteSteps(admission, clock);
    this.names = names;
    this.uids = uids;
    this.deletion = new Deletion(store, steps);
  }

  /** Throws {@link ApiFailure}. */
  public WriteResult create(ResourceDefinition definition, WriteContext context, KubeObject body) {
    return create(definition, context, body, Ownership.OF_CHANGES);
  }

  private WriteResult create(
      ResourceDefinition definition, WriteContext context, KubeObject body, Ownership ownership) {
    WriteTarget target = WriteTarget.of(definition);
    ResourceStrategy strategy = definition.strategy();
    KubeObject object =
        WriteSteps.requireAddressed(definition, definition.decode(body, context), context, "");
    object = strategy.applyDefaults(object);
    List<Precondition> preconditions = places.preconditions(definition, context);
    String generateName = object.text("metadata", "generateName");
    places.check(
        definition,
        context.cluster(),
        context.namespace(),
        object.name().isEmpty() ? generateName : object.name());
    String version = object.resourceVersion();
    if (!version.isEmpty() && !context.dryRun()) {
      throw ApiFailure.of(
          500, "", "resourceVersion should not be set on objects to be created", null);
    }
    object = WriteSteps.withoutRepeatedOwners(object, context, "");
    // What admission and the strategy add later has no manager.
    object =
        switch (ownership) {
          case OF_CHANGES ->
              steps.managed(WriteSteps.blank(definition, context), object, body, target, context);
          case AS_APPLIED -> withManagedFields(object, body.list(MANAGED));
        };
    var request = WriteSteps.createRequest(target, context, object.name(), object);
    object = steps.mutate(request, context);
    object = WriteSteps.requireAddressed(definition, object, context, "");
    if (object.name().isEmpty() && !object.text("metadata", "generateName").isEmpty()) {
      object =
          object.with(names.generate(object.text("metadata", "generateName")), "metadata", "name");
    }
    object = SystemMetadata.resetForCreate(object, uids.get().toString(), steps.now());
    object = strategy.prepareForCreate(object, context);
    if (strategy.generation() == ResourceStrategy.Generation.COUNTED) {
      object = object.with(1L, "metadata", "generation");
    }
    object = WriteSteps.normalize(definition, object, context);
    var errors = new ArrayList<>(MetadataRules.onCreate(definition, object));
    errors.addAll(strategy.validateCreate(object, context));
    WriteSteps.requireValid(definition, object, errors);
    warnOfFinalizers(definition, context, object.finalizers());
    steps.admit(request.withObject(object), context);
    return stored(target, context, strategy.applyDefaults(object), version, preconditions);
  }

  /**
   * What a resource that stores nothing answers. Throws {@link ApiFailure}.
   *
   * @param served whose subresource is posted to; the target's own definition otherwise
   * @param name of the object that a subresource is of; empty otherwise
   */
  public KubeObject answer(
      ResourceDefinition served,
      WriteTarget target,
      WriteContext context,
      String name,
      KubeObject body) {
    ResourceDefinition definition = target.definition();
    KubeObject object =
        WriteSteps.requireAddressed(definition, definition.decode(body, context), context, "");
    object = definition.strategy().applyDefaults(object);
    object =
        steps.managed(
            WriteSteps.blank(definition, context),
            object,
            object.without("metadata", "managedFields"),
            target,
            context);
    if (!target.whole()) {
      places.check(definition, context.cluster(), context.namespace(), name);
      var request =
          WriteSteps.createRequest(
              new WriteTarget(served, target.subresource(), target.strategy()),
              context,
              name,
              object.name().isEmpty() ? object.with(name, "metadata", "name") : object);
      object = steps.mutate(request, context);
      steps.admit(request.withObject(object), context);
    }
    return definition.computed().orElseThrow().create(name, object, context);
  }

  private static void warnOfFinalizers(
      ResourceDefinition definition, WriteContext context, List<String> added) {
    if (definition.origin() == ResourceDefinition.Origin.CUSTOM) {
      added.stream()
          .filter(finalizer -> !MetadataRules.isQualified(finalizer))
          .sorted()
          .forEach(finalizer ->
              context.warn(
                  ("metadata.finalizers: %s: prefer a domain-qualified finalizer name to avoid"
                          + " accidental conflicts with other finalizer writers")
                      .formatted(GoQuotes.quote(finalizer))));
    }
  }

  /**
   * @param version that the client gave, which is answered if the write is only tried
   */
  private WriteResult stored(
      WriteTarget target,
      WriteContext context,
      KubeObject object,
      String version,
      List<Precondition> preconditions) {
    ResourceDefinition definition = target.definition();
    StorageKey key = target.key(context, object.name());
    KubeObject storage = definition.converter().toStorage(object);
    if (context.dryRun()) {
      store.get(key).ifPresent(there -> refuseDuplicate(definition, there));
      // Where an object lies is noted when it is stored.
      KubeObject tried = withoutPlace(definition.converter().toServed(storage));
      return new WriteResult(
          WriteResult.Kind.CREATED,
          version.isEmpty() ? tried : tried.with(version, "metadata", "resourceVersion"));
    }
    SizeLimit.check(storage);
    try {
      StoredObject made = store.create(key, storage, preconditions);
      return WriteResult.of(WriteResult.Kind.CREATED, definition, made);
    } catch (StoreConflict refused) {
      if (refused.found() == StoreConflict.Cause.PRECONDITION_FAILED) {
        places.check(definition, context.cluster(), context.namespace(), object.name());
        throw ApiFailure.forbidden(
            definition.type(), object.name(), "logical cluster " + context.cluster() + " is gone");
      }
      store.get(key).ifPresent(there -> refuseDuplicate(definition, there));
      throw ApiFailure.alreadyExists(definition.type(), object.name());
    }
  }

  private static KubeObject withoutPlace(KubeObject object) {
    KubeObject without = object.without("metadata", "annotations", LogicalCluster.ANNOTATION);
    return without.map("metadata", "annotations").isEmpty()
        ? without.without("metadata", "annotations")
        : without;
  }

  private static void refuseDuplicate(ResourceDefinition definition, StoredObject there) {
    ResourceType type = definition.type();
    String name = there.key().name();
    if (there.object().deleting()) {
      throw ApiFailure.of(
          409,
          "AlreadyExists",
          "object is being deleted: " + type.qualified() + " \"" + name + "\" already exists",
          ApiFailure.details(type, name));
    }
    throw ApiFailure.alreadyExists(type, name);
  }

  /** A PUT or PATCH of an object or of a part of it. Throws {@link ApiFailure}. */
  public WriteResult change(WriteTarget target, WriteContext context, String name, Change change) {
    StorageKey key = target.key(context, name);
    for (int attempt = 1; ; attempt++) {
      Optional<StoredObject> found = store.get(key);
      if (found.isEmpty()) {
        return changeOfMissing(target, context, name, change);
      }
      try {
        return changeOnce(target, context, found.get(), change);
      } catch (StoreConflict raced) {
        boolean namesVersion =
            change instanceof Change.Replace(KubeObject body) && !body.resourceVersion().isEmpty();
        if (attempt == ATTEMPTS_MAX || namesVersion) {
          throw ApiFailure.staleVersion(target.definition().type(), name);
        }
      }
    }
  }

  private WriteResult changeOfMissing(
      WriteTarget target, WriteContext context, String name, Change change) {
    ResourceDefinition definition = target.definition();
    if (change instanceof Change.Replace(KubeObject body)) {
      // What cannot be read is refused before anything is looked for.
      WriteSteps.requireAddressed(definition, definition.decode(body, context), context, name);
      if (!target.whole() || !target.strategy().putRules().createsMissing()) {
        throw ApiFailure.notFound(definition.type(), name);
      }
      if (!body.uid().isEmpty()) {
        throw uidMismatch(definition.type(), name, body.uid(), "");
      }
      KubeObject named = WriteSteps.requireAddressed(definition, body, context, name);
      return create(definition, context, named.without("metadata", "resourceVersion"));
    }
    if (change instanceof Change.Apply apply && target.whole()) {
      KubeObject wanted = apply.wanted();
      if (!wanted.uid().isEmpty()) {
        throw uidMismatch(definition.type(), name, wanted.uid(), "");
      }
      var alone =
          new Change.Apply(
              wanted.without("metadata", "resourceVersion"), apply.force(), apply.ownership());
      KubeObject made = ApplySteps.applied(target, context, Map.of(), alone, steps.now());
      return create(
          definition,
          context,
          WriteSteps.requireAddressed(definition, made, context, name),
          apply.ownership());
    }
    throw ApiFailure.notFound(definition.type(), name);
  }

  private WriteResult changeOnce(
      WriteTarget target, WriteContext context, StoredObject stored, Change change) {
    ResourceDefinition definition = target.definition();
    ResourceStrategy strategy = target.strategy();
    String name = stored.key().name();
    KubeObject current = definition.converter().toServedOnce(stored.object());
    KubeObject given;
    KubeObject wished;
    switch (change) {
      case Change.Replace(KubeObject body) -> {
        given = body;
        wished = definition.decode(body, context);
      }
      case Change.Patch(var patch) -> {
        given = patch.apply(current);
        wished = WriteSteps.decodePatched(definition, given, context, name);
      }
      case Change.Apply apply -> {
        given = ApplySteps.applied(target, context, current.tree(), apply, steps.now());
        wished = definition.decode(given, context);
      }
    }
    wished = WriteSteps.requireAddressed(definition, wished, context, name);
    wished = strategy.applyDefaults(wished);
    if (change instanceof Change.Replace) {
      // Another uid in a PUT is a precondition that fails; in a patch it is an immutable field.
      if (!wished.uid().isEmpty() && !wished.uid().equals(current.uid())) {
        throw uidMismatch(definition.type(), name, wished.uid(), current.uid());
      }
      wished = WriteSteps.withoutRepeatedOwners(wished, context, "");
    }
    requireVersion(target, wished, current);
    // Admission that mutates sees what the client sent.
    KubeObject updated =
        change instanceof Change.Apply(_, _, var ownership) && ownership == Ownership.AS_APPLIED
            ? withManagedFields(wished, given.list(MANAGED))
            : steps.managed(current.tree(), wished, given, target, context);
    var request =
        WriteSteps.request(
            Operation.UPDATE,
            target,
            context,
            name,
            Optional.of(updated),
            Optional.of(current),
            WriteSteps.options("UpdateOptions", context));
    updated = steps.mutate(request, context);
    updated = WriteSteps.requireAddressed(definition, updated, context, "");
    updated = SystemMetadata.preserveOnUpdate(updated, current);
    updated = strategy.prepareForUpdate(updated, current, context);
    updated = bumpGeneration(target, updated, current);
    updated = WriteSteps.normalize(definition, updated, context);
    List<FieldError> errors = new ArrayList<>(MetadataRules.onUpdate(definition, updated, current));
    errors.addAll(strategy.validateUpdate(updated, current, context));
    WriteSteps.requireValid(definition, updated, errors);
    warnOfFinalizers(
        definition,
        context,
        updated.finalizers().stream().filter(added -> !current.hasFinalizer(added)).toList());
    steps.admit(request.withObject(updated), context);
    updated = strategy.applyDefaults(updated);
    if (updated.deleting() && definition.strategy().canRemove(updated)) {
      return deletion.finish(target, context, stored, updated);
    }
    KubeObject storage = definition.converter().toStorage(updated);
    if (context.dryRun()) {
      KubeObject tried =
          definition
              .converter()
              .toServed(storage)
              .withPartOf(current, "metadata", "resourceVersion");
      boolean placed = given.at("metadata", "annotations", LogicalCluster.ANNOTATION) != null;
      return new WriteResult(WriteResult.Kind.UPDATED, placed ? tried : withoutPlace(tried));
    }
    SizeLimit.check(storage);
    StoredObject made = store.update(stored, storage);
    return WriteResult.of(WriteResult.Kind.UPDATED, definition, made);
  }

  private static void requireVersion(WriteTarget target, KubeObject wished, KubeObject current) {
    ResourceDefinition definition = target.definition();
    String name = current.name();
    String version = wished.resourceVersion();
    if (version.isEmpty() || version.equals("0")) {
      if (!definition.strategy().putRules().allowsUnconditional()) {
        // The store says this, and it knows resources, not kinds.
        throw ApiFailure.invalid(
            definition.type().group(),
            definition.type().resource(),
            name,
            List.of(
                FieldError.invalid(
                    "metadata.resourceVersion", 0, "must be specified for an update")));
      }
    } else if (!version.chars().allMatch(Character::isDigit)) {
      throw ApiFailure.of(500, "", "the resourceVersion " + version + " is no number", null);
    } else if (!version.equals(current.resourceVersion())) {
      throw ApiFailure.staleVersion(definition.type(), name);
    }
  }

  /** What the store says of a write that is meant for an object of another UID. */
  public static ApiFailure uidMismatch(ResourceType type, String name, String asked, String found) {
    return ApiFailure.conflict(
        type,
        name,
        "Precondition failed: UID in precondition: %s, UID in object meta: %s"
            .formatted(asked, found));
  }

  private static KubeObject withManagedFields(KubeObject object, List<Object> managedFields) {
    return managedFields.isEmpty() ? object.without(MANAGED) : object.with(managedFields, MANAGED);
  }

  private static KubeObject bumpGeneration(
      WriteTarget target, KubeObject updated, KubeObject current) {
    if (target.strategy().generation() != ResourceStrategy.Generation.COUNTED) {
      return updated;
    }
    boolean statusApart = target.definition().subresources().containsKey("status");
    return desired(updated, statusApart).equals(desired(current, statusApart))
        ? updated
        : updated.with(current.generation() + 1, "metadata", "generation");
  }

  private static KubeObject desired(KubeObject object, boolean statusApart) {
    KubeObject rest = object.without("metadata");
    return statusApart ? rest.without("status") : rest;
  }

  /** Throws {@link ApiFailure}. */
  public WriteResult delete(
      ResourceDefinition definition, WriteContext context, String name, DeleteOptions options) {
    return deletion.delete(WriteTarget.of(definition), context, name, name, options);
  }

  /**
   * Deletes one of a collection: admission does not get to see its name apart from the object.
   * Empty if it was gone already.
   */
  public Optional<WriteResult> deleteOneOfMany(
      ResourceDefinition definition,
      WriteContext context,
      StoredObject one,
      DeleteOptions options) {
    try {
      return Optional.of(
          deletion.delete(WriteTarget.of(definition), context, one.key().name(), "", options));
    } catch (ApiFailure failure) {
      if (failure.code() == 404) {
        return Optional.empty();
      }
      throw failure;
    }
  }
}
