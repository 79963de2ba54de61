package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.CopyNamespace;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Elsewhere;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Others;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Provenance;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known at one moment; every answer comes from memory. */
public interface Sightings {
  Optional<KubeObject> original(Spot spot);

  Optional<KubeObject> copy(Spot spot);

  /** Of the Namespace that a copy at this spot is in. */
  CopyNamespace namespace(Spot copy);

  Provenance provenance(Spot copy, KubeObject object);

  /** Whether this process removed the very object that is recorded. */
  Provenance end(RelatedRecord record);

  /** All of this entry and primary. */
  List<RelatedRecord> records();

  Others othersOfCopy(Spot original, Spot copy, Optional<RelatedRecord> own);

  Others othersOfOriginal(Spot original);

  /**
   * What agents of other names have recorded of a copy.
   *
   * @param own record of it
   */
  Elsewhere elsewhere(Spot spot, KubeObject copy, Optional<RelatedRecord> own);

  /**
   * What an earlier agent, or an entry by an earlier name, last brought to the copy of this
   * original; empty if neither left word.
   *
   * @param there what is at the copy's spot
   */
  Optional<Map<String, Object>> earlier(Spot original, Spot copy, KubeObject there);

  /** The Namespace that is of no use to the agent without the record, and is to go with it. */
  Optional<KubeObject> emptiedWithout(RelatedRecord record);
}
