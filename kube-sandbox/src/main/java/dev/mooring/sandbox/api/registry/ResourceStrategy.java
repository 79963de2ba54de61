package dev.mooring.sandbox.api.registry;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.List;
import java.util.Optional;

/**
 * What one resource (or its status subresource) does differently from the rest. The write pipeline
 * alone calls these, in the order of declaration; metadata (name, uid, timestamps, finalizers,
 * managedFields) is the pipeline's own business and has been dealt with before. All objects are in
 * the served version. Implementations keep no state between calls. Modelled on the strategies of
 * Kubernetes' {@code apiserver/pkg/registry/rest}.
 */
public interface ResourceStrategy {
  /** Whether {@code metadata.generation} counts changes of everything but metadata and status. */
  enum Generation {
    COUNTED,
    ABSENT
  }

  /** What a PUT may do without a version, or to an object that is not there. */
  record PutRules(boolean createsMissing, boolean allowsUnconditional) {}

  /** Which writes discovery announces. */
  enum Offer {
    ALL,
    /** No new objects: the resource is on its way out. */
    DELETIONS
  }

  default Offer offer() {
    return Offer.ALL;
  }

  /** What a DELETE answers once the object is gone. */
  enum DeleteAnswer {
    STATUS,
    OBJECT
  }

  /** The warning that every use of the version earns; empty if it is not deprecated. */
  default Optional<String> deprecation() {
    return Optional.empty();
  }

  default Generation generation() {
    return Generation.ABSENT;
  }

  default PutRules putRules() {
    return new PutRules(false, true);
  }

  default DeleteAnswer deleteAnswer() {
    return DeleteAnswer.STATUS;
  }

  /** Fills in defaults. Runs on everything read from a client, and after patches. */
  default KubeObject applyDefaults(KubeObject object) {
    return object;
  }

  /** Resets what a client may not set at create, such as status. */
  default KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return object;
  }

  /** Restores what a client may not change by this request, such as status or spec. */
  default KubeObject prepareForUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return updated;
  }

  /** Empty if valid. Metadata's general rules are checked elsewhere. */
  default List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    return List.of();
  }

  /** Empty if valid; what holds for a new object holds for a changed one, unless overridden. */
  default List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return validateCreate(updated, context);
  }

  /** Empty if the name will do; otherwise Kubernetes' text, one entry a complaint. */
  default List<String> validateName(String name) {
    return NameRules.subdomain(name);
  }

  /** Throws {@link ApiFailure} if this object may not be deleted (now, or by this user). */
  default void checkDelete(KubeObject current, WriteContext context) {}

  /**
   * Notes in the object itself that it is being deleted, where it has more than metadata to say so.
   */
  default KubeObject prepareForDelete(KubeObject object) {
    return object;
  }

  /** Whether nothing holds an object back any more whose deletion was requested. */
  default boolean canRemove(KubeObject object) {
    return object.finalizers().isEmpty();
  }
}
