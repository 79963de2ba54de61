package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is known of one object of a consumer; no content of it.
 *
 * @param workspace path of its workspace; empty if that is not known
 * @param message what was last reported; empty for a synced object
 * @param unsyncedFor empty if it is synced
 * @param source as it was last seen; empty if it is gone
 * @param copies on the service cluster; more than one only if names or labels were damaged
 * @param related recorded copies of related objects
 * @param relatedPending entries that name no object yet; empty if there are none
 */
public record ObjectDiagnosis(
    ObjectKey key,
    Optional<String> workspace,
    State state,
    String reason,
    String message,
    Optional<Duration> unsyncedFor,
    Optional<KubeObject> source,
    List<KubeObject> copies,
    List<RelatedRecord> related,
    Optional<String> relatedPending) {
  /** How far an object is. */
  public enum State {
    SYNCED,
    /** It becomes synced by itself. */
    PENDING,
    /** A request failed, and is repeated. */
    FAILED,
    /** A rule or a server refuses it until its consumer or the provider changes something. */
    REFUSED,
    /** It is not synced on purpose. */
    SKIPPED;

    /** Whether the object is not in step and does not become so by itself. */
    boolean fails() {
      return this == FAILED || this == REFUSED;
    }
  }

  public ObjectDiagnosis {
    copies = List.copyOf(copies);
    related = List.copyOf(related);
  }
}
