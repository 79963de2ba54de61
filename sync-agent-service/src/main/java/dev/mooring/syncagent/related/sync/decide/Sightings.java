package dev.mooring.syncagent.related.sync.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.OtherAgents;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.share.decide.OtherOwners;
import dev.mooring.syncagent.related.sync.decide.CopySnapshot.CopyNamespace;
import dev.mooring.syncagent.related.sync.decide.CopySnapshot.Provenance;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known at one moment; every answer comes from memory. */
public interface Sightings {
  Optional<KubeObject> original(ObjectRef ref);

  Optional<KubeObject> copy(ObjectRef ref);

  /** Of the Namespace that a copy at this ref is in. */
  CopyNamespace namespace(ObjectRef copy);

  Provenance provenance(ObjectRef copy, KubeObject object);

  /** Whether this process removed the very object that is recorded. */
  Provenance end(RelatedRecord record);

  /** All of this entry and primary. */
  List<RelatedRecord> records();

  OtherOwners otherOwnersOfCopy(ObjectRef original, ObjectRef copy, Optional<RelatedRecord> own);

  OtherOwners otherOwnersOfOriginal(ObjectRef original);

  /**
   * What agents of other names have recorded of a copy.
   *
   * @param own record of it
   */
  OtherAgents otherAgents(ObjectRef ref, KubeObject copy, Optional<RelatedRecord> own);

  /**
   * What an earlier agent, or an entry by an earlier name, last brought to the copy of this
   * original; empty if neither left word.
   *
   * @param there what is at the copy's ref
   */
  Optional<Map<String, Object>> earlier(ObjectRef original, ObjectRef copy, KubeObject there);

  /** The Namespace that is of no use to the agent without the record, and is to go with it. */
  Optional<KubeObject> emptiedWithout(RelatedRecord record);
}
