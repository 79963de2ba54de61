package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.race.ReferenceReview;
import dev.mooring.depwebhook.race.decide.Recording;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
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
      case Writing(_, var written) ->
          review
              .provider(written.provider().map(LogicalCluster::name).orElse(""))
              .object(
                  GroupResource.of(written.type()),
                  written.cluster(),
                  written.after().namespace(),
                  written.after().name());
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

  /** May this object be created, or become as it is here? */
  record Writing(String uid, ReferenceReview reference) implements Review {}

  /** An operation that neither deletes an object nor changes its references. */
  record OtherOperation(String uid) implements Review {}

  /** A review that could not be parsed. */
  record Malformed(String uid, String problem) implements Review {}
}
