package dev.mooring.syncagent.related.decide;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.Adoption;
import dev.mooring.model.published.RelatedResource.Cleanup;
import dev.mooring.model.published.RelatedResource.Origin;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.related.decide.RelatedPlan.Act;
import dev.mooring.syncagent.related.decide.RelatedPlan.Await;
import dev.mooring.syncagent.related.decide.RelatedPlan.InSync;
import dev.mooring.syncagent.related.decide.RelatedPlan.Refuse;
import dev.mooring.syncagent.related.decide.RelatedRecord.Ownership;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Sharing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides the next step for one related object, the same for both directions:
 *
 * <ol>
 *   <li>a copy whose original is gone or named differently now: remove it, then forget it;
 *   <li>hold an original in kcp;
 *   <li>make the copy, or take on what has its name if the rules allow;
 *   <li>bring its content in line, then remember what was written;
 *   <li>name it on the consumer's primary.
 * </ol>
 *
 * <p>Laws: only a recorded copy that the agent made is deleted, or one that carries this original's
 * marks; an original in kcp is released only when its copy is gone.
 */
public final class RelatedPlanner {
  private RelatedPlanner() {}

  /** While the primary lives. */
  public static RelatedPlan keepInStep(RelatedSnapshot seen) {
    boolean wanted =
        seen.copyPlace().isPresent() && seen.original().filter(o -> !o.deleting()).isPresent();
    if (seen.record().isPresent() && !(wanted && isAt(seen.record().get(), seen))) {
      return remove(seen, seen.record().get());
    }
    if (!wanted) {
      return afterwards(seen);
    }
    KubeObject original = seen.original().get();
    if (seen.entry().origin() == Origin.KCP && !original.hasFinalizer(SyncMarks.FINALIZER)) {
      return new Act(new RelatedAction.HoldOriginal(original, held(original)));
    }
    return seen.copy()
        .map(copy -> inLine(seen, original, copy))
        .orElseGet(() -> make(seen, original));
  }

  /** While the primary goes; in sync means that it need not wait for this any more. */
  public static RelatedPlan windDown(RelatedSnapshot seen) {
    if (seen.entry().cleanup() == Cleanup.KEEP || seen.sharing() == Sharing.SHARED) {
      return new InSync();
    }
    if (seen.record().isPresent()) {
      return remove(seen, seen.record().get());
    }
    Optional<RelatedRecord> justMade = justMade(seen);
    if (justMade.isPresent()) {
      // The primary was deleted before its copy was recorded: without a record it would be left.
      return new Act(new RelatedAction.StoreRecord(justMade.get()));
    }
    return seen.original()
        .filter(original -> seen.entry().origin() == Origin.KCP)
        .filter(original -> original.hasFinalizer(SyncMarks.FINALIZER))
        .<RelatedPlan>map(original -> new Act(release(original)))
        .orElseGet(InSync::new);
  }

  private static boolean isAt(RelatedRecord record, RelatedSnapshot seen) {
    return record.type().equals(seen.entry().type())
        && seen.copyPlace().equals(Optional.of(record.place()));
  }

  private static RelatedPlan remove(RelatedSnapshot seen, RelatedRecord record) {
    if (record.ownership() == Ownership.ADOPTED || seen.recordedCopy().isEmpty()) {
      return new Act(new RelatedAction.DropRecord());
    }
    KubeObject copy = seen.recordedCopy().get();
    return copy.deleting() ? new Await() : new Act(new RelatedAction.DeleteCopy(copy));
  }

  /** There is no copy any more, or none yet. */
  private static RelatedPlan afterwards(RelatedSnapshot seen) {
    if (seen.note().isPresent()) {
      return new Act(new RelatedAction.RemoveNote());
    }
    return seen.original()
        .filter(original -> original.deleting() && seen.entry().origin() == Origin.KCP)
        .filter(original -> original.hasFinalizer(SyncMarks.FINALIZER))
        .filter(original -> seen.sharing() == Sharing.SOLE)
        .<RelatedPlan>map(original -> new Act(release(original)))
        .orElseGet(InSync::new);
  }

  private static RelatedPlan make(RelatedSnapshot seen, KubeObject original) {
    Place place = seen.copyPlace().orElseThrow();
    return switch (seen.copyNamespace()) {
      case ABSENT -> new Act(new RelatedAction.CreateNamespace(place.namespace()));
      case TERMINATING -> new Await();
      case PRESENT, NOT_NEEDED -> {
        KubeObject desired =
            SyncedContent.asObject(
                SyncedContent.of(original),
                original.apiVersion(),
                original.kind(),
                place.namespace(),
                place.name());
        yield new Act(new RelatedAction.CreateCopy(marked(seen, desired)));
      }
    };
  }

  private static RelatedPlan inLine(RelatedSnapshot seen, KubeObject original, KubeObject copy) {
    if (copy.deleting()) {
      return new Await();
    }
    Map<String, Object> content = SyncedContent.of(original);
    if (seen.record().isEmpty()) {
      return unrecorded(seen, content, copy);
    }
    RelatedRecord record = seen.record().get();
    KubeObject desired = marked(seen, SyncedContent.threeWay(copy, record.lastKnown(), content));
    if (!desired.equals(copy)) {
      return new Act(new RelatedAction.PatchCopy(copy, SyncedContent.patch(copy, desired)));
    }
    if (!record.lastKnown().equals(content)) {
      return new Act(new RelatedAction.StoreRecord(record.knowing(content)));
    }
    return note(seen, copy);
  }

  /** What to record of a copy that is exactly as it is made from the original. */
  private static Optional<RelatedRecord> justMade(RelatedSnapshot seen) {
    return seen.original()
        .map(SyncedContent::of)
        .flatMap(content ->
            seen.copy()
                .filter(copy -> isAsMade(seen, content, copy))
                .map(copy ->
                    new RelatedRecord(
                        seen.entry().type(), Place.of(copy), Ownership.MADE, content)));
  }

  private static boolean isAsMade(
      RelatedSnapshot seen, Map<String, Object> content, KubeObject copy) {
    return SyncedContent.of(copy).equals(content) && marked(seen, copy).equals(copy);
  }

  /** Something has the copy's name: just made and not recorded yet, ours of old, or a stranger. */
  private static RelatedPlan unrecorded(
      RelatedSnapshot seen, Map<String, Object> content, KubeObject copy) {
    var record = new RelatedRecord(seen.entry().type(), Place.of(copy), Ownership.MADE, content);
    if (isAsMade(seen, content, copy)) {
      return new Act(new RelatedAction.StoreRecord(record));
    }
    boolean marksFit = seen.marks().map(marks -> marks.fitRemainingMarksOf(copy)).orElse(false);
    if (marksFit || seen.adoption() == Adoption.ALWAYS) {
      KubeObject desired = marked(seen, SyncedContent.overlay(copy, content));
      return desired.equals(copy)
          ? new Act(new RelatedAction.StoreRecord(record))
          : new Act(new RelatedAction.PatchCopy(copy, SyncedContent.patch(copy, desired)));
    }
    if (seen.marks().isEmpty()
        && seen.adoption() == Adoption.UNCLAIMED
        && !SourceMarks.claimed(copy)) {
      return new Act(
          new RelatedAction.StoreRecord(
              new RelatedRecord(seen.entry().type(), Place.of(copy), Ownership.ADOPTED, content)));
    }
    return new Refuse(
        "NameCollision",
        copy.kind()
            + " \""
            + Place.of(copy)
            + "\" is in the way of related object \""
            + seen.entry().identifier()
            + "\" and belongs to someone else. Nothing was changed; rename or remove it.");
  }

  private static RelatedPlan note(RelatedSnapshot seen, KubeObject copy) {
    if (seen.entry().origin() == Origin.KCP) {
      return new InSync();
    }
    var value = new LinkedHashMap<String, Object>();
    value.put("namespace", copy.namespace());
    value.put("name", copy.name());
    value.put("apiVersion", copy.apiVersion());
    value.put("kind", copy.kind());
    String text = KubeJson.writeText(value);
    return seen.note().equals(Optional.of(text))
        ? new InSync()
        : new Act(new RelatedAction.Note(text));
  }

  private static KubeObject marked(RelatedSnapshot seen, KubeObject copy) {
    return seen.marks()
        .map(marks -> SyncedContent.marked(copy, marks.labels(), marks.annotations()))
        .orElse(copy);
  }

  private static List<String> held(KubeObject original) {
    var finalizers = new ArrayList<>(original.finalizers());
    finalizers.add(SyncMarks.FINALIZER);
    return List.copyOf(finalizers);
  }

  private static RelatedAction release(KubeObject original) {
    return new RelatedAction.ReleaseOriginal(
        original,
        original.finalizers().stream().filter(f -> !f.equals(SyncMarks.FINALIZER)).toList());
  }
}
