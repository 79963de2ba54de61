package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.CopyNamespace;
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

  /** All of this entry and primary. */
  List<RelatedRecord> records();

  Others othersOfCopy(Spot original, Spot copy, Optional<RelatedRecord> own);

  Others othersOfOriginal(Spot original);

  /** What an earlier agent last brought to the copy of this original; empty if it left no word. */
  Optional<Map<String, Object>> earlier(Spot original);

  /** The Namespace that is of no use to the agent without the record, and is to go with it. */
  Optional<KubeObject> emptiedWithout(RelatedRecord record);
}
