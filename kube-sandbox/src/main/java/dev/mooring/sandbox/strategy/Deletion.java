package dev.mooring.sandbox.strategy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The end of an object: at once if nothing holds it back, otherwise marked and left to those whose
 * finalizers it carries. The garbage collector's own finalizers stand for the propagation policy.
 */
record Deletion(ResourceStore store, WriteSteps steps) {
  /** Held by the garbage collector until the dependents are gone. */
  static final String FOREGROUND = "foregroundDeletion";

  /** Held by the garbage collector until the dependents are set free. */
  static final String ORPHAN = "orphan";

  private static final int ATTEMPTS_MAX = 20;

  /**
   * @param admittedName what admission sees as the request's name
   */
  WriteResult delete(
      WriteTarget target,
      WriteContext context,
      String name,
      String admittedName,
      DeleteOptions options) {
    ResourceDefinition definition = target.definition();
    StorageKey key = target.key(context, name);
    for (int attempt = 1; ; attempt++) {
      StoredObject stored =
          store.get(key).orElseThrow(() -> ApiFailure.notFound(definition.type(), name));
      KubeObject current = definition.converter().toServed(stored.object());
      requirePreconditions(definition, current, options);
      definition.strategy().checkDelete(current, context);
      var request =
          WriteSteps.request(
              Operation.DELETE,
              target,
              context,
              admittedName,
              Optional.empty(),
              Optional.of(current),
              options.toTree(context.dryRun()));
      steps.admit(request, context);
      try {
        return deleteOnce(target, context, stored, current, options);
      } catch (StoreConflict raced) {
        if (attempt == ATTEMPTS_MAX) {
          throw ApiFailure.staleVersion(definition.type(), name);
        }
      }
    }
  }

  private WriteResult deleteOnce(
      WriteTarget target,
      WriteContext context,
      StoredObject stored,
      KubeObject current,
      DeleteOptions options) {
    ResourceDefinition definition = target.definition();
    KubeObject marked = current.withFinalizers(finalizers(current, options));
    if (!current.deleting()) {
      if (definition.strategy().canRemove(marked)) {
        return finish(target, context, stored, current);
      }
      marked = marked.with(steps.now(), "metadata", "deletionTimestamp");
      marked = marked.with(0L, "metadata", "deletionGracePeriodSeconds");
      if (definition.strategy().generation() == ResourceStrategy.Generation.COUNTED) {
        marked = marked.with(current.generation() + 1, "metadata", "generation");
      }
      marked = definition.strategy().prepareForDelete(marked);
    } else if (definition.strategy().canRemove(marked)) {
      return finish(target, context, stored, marked);
    }
    marked = WriteSteps.normalize(definition, marked, context);
    if (context.dryRun()) {
      return new WriteResult(WriteResult.Kind.DELETING, marked);
    }
    StoredObject made = store.update(stored, definition.converter().toStorage(marked));
    return WriteResult.of(WriteResult.Kind.DELETING, definition, made);
  }

  /**
   * Removes the object for good.
   *
   * @param last its last state, in the served version
   */
  WriteResult finish(
      WriteTarget target, WriteContext context, StoredObject stored, KubeObject last) {
    if (context.dryRun()) {
      return new WriteResult(WriteResult.Kind.GONE, last);
    }
    ResourceDefinition definition = target.definition();
    StoredObject gone = store.delete(stored, definition.converter().toStorage(last));
    return WriteResult.of(WriteResult.Kind.GONE, definition, gone);
  }

  private static List<String> finalizers(KubeObject current, DeleteOptions options) {
    var finalizers = new ArrayList<>(current.finalizers());
    options
        .propagation()
        .ifPresent(policy -> {
          finalizers.removeAll(List.of(FOREGROUND, ORPHAN));
          switch (policy) {
            case BACKGROUND -> {}
            case FOREGROUND -> finalizers.add(FOREGROUND);
            case ORPHAN -> finalizers.add(ORPHAN);
          }
        });
    return finalizers;
  }

  private static void requirePreconditions(
      ResourceDefinition definition, KubeObject current, DeleteOptions options) {
    requireSame(definition, current, "UID", options.uid(), current.uid());
    requireSame(
        definition,
        current,
        "ResourceVersion",
        options.resourceVersion(),
        current.resourceVersion());
  }

  /** Names the kind where other conflicts name the resource, as Kubernetes does. */
  private static void requireSame(
      ResourceDefinition definition,
      KubeObject current,
      String field,
      String wanted,
      String found) {
    if (wanted.isEmpty() || wanted.equals(found)) {
      return;
    }
    String group = definition.type().group();
    String subject = group.isEmpty() ? definition.kind() : definition.kind() + "." + group;
    throw ApiFailure.of(
        409,
        "Conflict",
        ("Operation cannot be fulfilled on %s \"%s\": the %s in the precondition (%s) does not"
                + " match the %s in record (%s)")
            .formatted(subject, current.name(), field, wanted, field, found),
        Trees.orderedNonEmpty("name", current.name(), "group", group, "kind", definition.kind()));
  }
}
