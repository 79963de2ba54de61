package dev.mooring.syncagent.related.sync.decide;

import dev.mooring.model.json.KubeJson;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.Ownership;
import dev.mooring.syncagent.related.share.decide.OtherOwners;
import dev.mooring.syncagent.related.sync.decide.RelatedPlan.Act;
import dev.mooring.syncagent.related.sync.decide.RelatedPlan.InSync;
import dev.mooring.syncagent.related.sync.decide.RelatedPlan.Refuse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Decides the next steps for all related objects of one entry beside one primary: first what is no
 * longer called for goes, then each copy is brought in step, then the consumer's primary names
 * them. One that cannot be synced keeps none of the others from it.
 */
public final class RelatedPlanner {
  private RelatedPlanner() {}

  /** While the primary lives. */
  public static RelatedPlans sync(RelatedSet seen) {
    var plans = new ArrayList<RelatedPlan>();
    seen.leftovers().forEach(leftover -> plans.add(CopyPlanner.remove(leftover)));
    Map<ObjectRef, Integer> claims = new HashMap<>();
    seen.present().forEach(one -> claims.merge(one.copy().ref(), 1, Integer::sum));
    for (CopySnapshot one : seen.present()) {
      plans.add(
          claims.get(one.copy().ref()) > 1 && !isRecorded(one)
              ? ambiguous(one)
              : CopyPlanner.sync(one));
    }
    Map<String, String> notes = notes(seen);
    if (!notes.isEmpty()) {
      plans.add(new Act(new RelatedAction.AnnotatePrimary(notes)));
    }
    return RelatedPlans.of(plans);
  }

  /** While the primary goes; in sync means that it need not wait for this entry any more. */
  public static RelatedPlans cleanUp(RelatedSet seen) {
    return RelatedPlans.of(
        Stream.of(seen.leftovers(), seen.present())
            .flatMap(List::stream)
            .map(one ->
                seen.entry().cleanup() == Cleanup.DELETE ? CopyPlanner.cleanUp(one) : forget(one))
            .toList());
  }

  private static RelatedPlan forget(CopySnapshot one) {
    return one.record()
        .<RelatedPlan>map(record -> new Act(new RelatedAction.Disown(record)))
        .orElseGet(InSync::new);
  }

  /** Recorded for this very original, so not for any of its rivals. */
  private static boolean isRecorded(CopySnapshot one) {
    return one.record()
        .filter(record -> record.ownership() != Ownership.INTENDED)
        .filter(record -> record.original().equals(one.original().ref()))
        .isPresent();
  }

  private static RelatedPlan ambiguous(CopySnapshot one) {
    return new Refuse(
        "RelatedAmbiguous",
        "Several objects of related entry \""
            + one.rules().entry().identifier()
            + "\" would be copied to \""
            + one.copy().ref().namespacedName()
            + "\", among them \""
            + one.original().ref().namespacedName()
            + "\". Give each a name of its own.");
  }

  /** What differs on the consumer's primary; null for annotations that go. */
  private static Map<String, String> notes(RelatedSet seen) {
    if (seen.entry().origin() == Side.KCP) {
      return Map.of();
    }
    var wanted = new LinkedHashMap<String, String>();
    for (CopySnapshot one : seen.present()) {
      if (one.copy().object().isPresent()
          && (one.record().isPresent() || one.sharers().ofCopy() == OtherOwners.THEY_WRITE)) {
        wanted.put(noteKey(seen, wanted.size()), note(one));
      }
    }
    var changes = new TreeMap<String, String>();
    wanted.forEach((key, value) -> {
      if (!value.equals(seen.notes().get(key))) {
        changes.put(key, value);
      }
    });
    seen.notes().keySet().stream()
        .filter(key -> !wanted.containsKey(key))
        .forEach(key -> changes.put(key, null));
    return changes;
  }

  private static String noteKey(RelatedSet seen, int index) {
    return SyncMarks.RELATED_PREFIX + seen.entry().identifier() + "." + index;
  }

  private static String note(CopySnapshot one) {
    var value = new LinkedHashMap<String, Object>();
    if (!one.copy().ref().namespace().isEmpty()) {
      value.put("namespace", one.copy().ref().namespace());
    }
    value.put("name", one.copy().ref().name());
    value.put("apiVersion", one.copy().ref().type().apiVersion());
    value.put("kind", one.rules().copyKind());
    return KubeJson.writeText(value);
  }
}
