package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.Caller;
import dev.mooring.runtime.log.LogFields;
import java.util.Optional;

/** An admission review, as far as it could be parsed. */
public sealed interface Review {
  /** To be repeated in the response; empty if it could not be parsed. */
  String uid();

  /** What it is about, for log lines. */
  default LogFields about() {
    LogFields review = LogFields.NONE.review(uid());
    return switch (this) {
      case Deletion(_, var target, _, _, var provider, _) ->
          review
              .provider(provider.map(LogicalCluster::name).orElse(""))
              .object(target.type(), target.key());
      case CreateOrUpdate(_, var cluster, var type, _, var after, _, var provider) ->
          review
              .provider(provider.map(LogicalCluster::name).orElse(""))
              .object(GroupResource.of(type), cluster, after.namespace(), after.name());
      case OtherOperation _, Malformed _ -> review;
    };
  }

  /**
   * May this object be deleted? Its name and namespace come from the object itself.
   *
   * @param object the target; only its metadata matters
   * @param caller who deletes it
   * @param provider whose export the target belongs to; empty if the review does not say
   * @param recording whether the API server deletes the target if the review allows it
   */
  record Deletion(
      String uid,
      Target target,
      KubeObject object,
      Caller caller,
      Optional<LogicalCluster> provider,
      Recording recording)
      implements Review {}

  /**
   * May this object, which may refer to others, be created, or become as it is here?
   *
   * @param type as the review names it, without a subresource
   * @param before empty for a creation
   * @param provider whose configuration sent the review; empty if its URL does not say
   */
  record CreateOrUpdate(
      String uid,
      LogicalCluster cluster,
      ResourceType type,
      Optional<KubeObject> before,
      KubeObject after,
      Recording recording,
      Optional<LogicalCluster> provider)
      implements Review {}

  /** An operation that neither deletes an object nor changes its references. */
  record OtherOperation(String uid) implements Review {}

  /** A review that could not be parsed. */
  record Malformed(String uid, String problem) implements Review {}
}
