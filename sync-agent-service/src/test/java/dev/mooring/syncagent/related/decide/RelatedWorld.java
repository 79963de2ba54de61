package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedFixture.entry;
import static dev.mooring.syncagent.related.decide.RelatedFixture.object;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.CopySnapshot.Provenance;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All there is beside one primary: originals "o1" to "o3" and copies "c1" to "c3", in a state that
 * actions change as servers would.
 */
final class RelatedWorld implements Cloneable {
  static final OriginalFinalizers FINALIZERS = OriginalFinalizers.of("agent");
  static final RecordOwner OWNER =
      new RecordOwner(
          "things.example.io", new ObjectKey(new LogicalCluster("c1"), "default", "web"), "tls");

  private CopySnapshot.Rules rules;
  private final List<RelatedPair> called;
  private final OtherOwners others;
  private final boolean deleting;
  private Map<ObjectRef, KubeObject> objects = new HashMap<>();
  private Map<ObjectRef, RelatedRecord> records = new HashMap<>();
  private CopyNamespace namespace = CopyNamespace.ABSENT;
  private Map<String, Object> notes = new HashMap<>();

  /** What this process made the first copy with. */
  private Provenance provenance = new Provenance.Unknown();

  /** Of the first copy. */
  private OtherAgents otherAgents = OtherAgents.NONE;

  /** What an earlier agent said of the first original. */
  private Optional<Map<String, Object>> earlier = Optional.empty();

  /** What does not change. */
  RelatedWorld(
      RelatedResource entry,
      Adoption adoption,
      List<String> called,
      OtherOwners others,
      Phase phase) {
    this.rules =
        new CopySnapshot.Rules(
            entry,
            "Secret",
            StatusSubresource.PRESENT,
            adoption,
            FINALIZERS,
            new ClaimVisibility.Full(),
            CopySnapshot.Comparison.CHANGES);
    this.called =
        called.stream()
            .map(pair -> pair.split(">"))
            .map(pair -> new RelatedPair(originalRef(pair[0]), copyRef(pair[1])))
            .sorted()
            .toList();
    this.others = others;
    this.deleting = phase == Phase.GOING;
  }

  RelatedWorld withCopyStatus(StatusSubresource status) {
    rules =
        new CopySnapshot.Rules(
            rules.entry(),
            rules.copyKind(),
            status,
            rules.adoption(),
            FINALIZERS,
            new ClaimVisibility.Full(),
            CopySnapshot.Comparison.CHANGES);
    return this;
  }

  /** Of the primary. */
  enum Phase {
    LIVING,
    GOING
  }

  private static final KubeObject PRIMARY =
      object("{'metadata':{'namespace':'default','name':'web'}}");
  private static final Map<Side, RelatedResource> ENTRIES =
      Map.of(
          Side.KCP, entry("kcp", "{'template':{'template':'x'}}"),
          Side.SERVICE, entry("service", "{'template':{'template':'x'}}"));
  private static final Map<String, KubeObject> SECRETS = new HashMap<>();

  static RelatedResource entryOf(Side origin, Cleanup cleanup) {
    RelatedResource entry = ENTRIES.get(origin);
    return new RelatedResource(
        entry.identifier(),
        origin,
        entry.types(),
        "",
        entry.name(),
        entry.namespace(),
        cleanup,
        entry.statusSync(),
        entry.mutations());
  }

  RelatedWorld with(ObjectRef ref, KubeObject object) {
    if (object != null) {
      objects.put(ref, object);
    }
    return this;
  }

  RelatedWorld with(Ownership ownership, String original, String copy) {
    return with(ownership, original, copy, "");
  }

  /**
   * @param uid of the copy that was recorded
   */
  RelatedWorld with(Ownership ownership, String original, String copy, String uid) {
    var record =
        new RelatedRecord(
            OWNER,
            originalRef(original),
            copyRef(copy),
            ownership,
            ownership == Ownership.ADOPTED ? Map.of() : SyncedContent.of(secret("x")),
            uid);
    records.put(record.copy(), record);
    return this;
  }

  RelatedWorld with(RelatedRecord record) {
    records.put(record.copy(), record);
    return this;
  }

  ObjectRef originalRef(String name) {
    return ref(rules.entry().origin(), name);
  }

  ObjectRef copyRef(String name) {
    return ref(rules.entry().origin().other(), name);
  }

  private static ObjectRef ref(Side side, String name) {
    return ObjectRef.of(
        side, ResourceType.core("secrets"), OWNER.primary().cluster(), "default", name);
  }

  RelatedSet seen() {
    KubeObject primary = PRIMARY.with(notes, "metadata", "annotations");
    if (deleting) {
      primary = primary.with("now", "metadata", "deletionTimestamp");
    }
    return RelatedSet.gather(
        rules.entry(),
        primary,
        new Resolution(called, Set.of(), new Resolution.Outcome.Complete()),
        records(),
        this::read);
  }

  /** As if no server ever refused a request. */
  RelatedPlan plan() {
    List<RelatedPlan> plans = plans();
    return actions(plans).stream()
        .<RelatedPlan>map(action -> action)
        .findFirst()
        .orElseGet(() ->
            plans.stream()
                .map(Progress.class::cast)
                .reduce(new Progress.Settled(), Progress::orWorse));
  }

  /** While the primary is being deleted, and its copy is there. */
  List<RelatedAction> kept() {
    return actions(RelatedPlanner.keep(seen()));
  }

  private static List<RelatedAction> actions(List<RelatedPlan> plans) {
    return plans.stream()
        .filter(RelatedAction.class::isInstance)
        .map(RelatedAction.class::cast)
        .toList();
  }

  private List<RelatedPlan> plans() {
    return deleting ? RelatedPlanner.cleanUp(seen()) : RelatedPlanner.sync(seen());
  }

  RelatedWorld after(RelatedAction action) {
    RelatedWorld next = copyOf();
    switch (action) {
      case RelatedAction.AddFinalizer(var at, var original, var finalizers) ->
          next.objects.put(at, original.with(finalizers, "metadata", "finalizers"));
      case RelatedAction.RemoveFinalizer(var at, var original, var finalizers) -> {
        if (original.deleting() && finalizers.isEmpty()) {
          next.objects.remove(at);
        } else {
          next.objects.put(at, original.with(finalizers, "metadata", "finalizers"));
        }
      }
      case RelatedAction.CreateNamespace _ -> next.namespace = CopyNamespace.PRESENT;
      case RelatedAction.CreateCopy(var at, var desired) ->
          next.objects.put(at, desired.with("new", "metadata", "uid"));
      case RelatedAction.PatchCopy(var at, var copy, var patch, var recorded) -> {
        next.objects.put(at, MergePatch.apply(copy, patch));
        next.records.put(at, recorded);
      }
      case RelatedAction.WriteStatus(var at, var desired) -> next.objects.put(at, desired);
      case RelatedAction.DeleteCopy(var at, var _, var _, var _) -> next.objects.remove(at);
      case RelatedAction.StoreRecord(var record) -> {
        next.records.put(record.copy(), record);
        if (next.otherAgents != OtherAgents.NONE) {
          next.otherAgents = OtherAgents.NOT_ANNOUNCED;
        }
        next.provenance = new Provenance.Unknown();
      }
      // Whether another agent lets go meanwhile is nobody's to say; here it does not.
      case RelatedAction.AnnounceHandover _ -> next.otherAgents = OtherAgents.ANNOUNCED;
      case RelatedAction.Disown(var record) -> next.records.remove(record.copy());
      case RelatedAction.DeleteRecord(var record, var _) -> next.records.remove(record.copy());
      case RelatedAction.AnnotatePrimary(var changes) ->
          changes.forEach((key, value) -> {
            if (value == null) {
              next.notes.remove(key);
            } else {
              next.notes.put(key, value);
            }
          });
    }
    return next;
  }

  private RelatedWorld copyOf() {
    try {
      var copy = (RelatedWorld) clone();
      copy.objects = new HashMap<>(objects);
      copy.records = new HashMap<>(records);
      copy.notes = new HashMap<>(notes);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  CopySnapshot.Rules rules() {
    return rules;
  }

  List<RelatedPair> called() {
    return called;
  }

  OtherOwners others() {
    return others;
  }

  OtherAgents otherAgents() {
    return otherAgents;
  }

  Map<String, Object> notes() {
    return Map.copyOf(notes);
  }

  Optional<KubeObject> at(ObjectRef ref) {
    return Optional.ofNullable(objects.get(ref));
  }

  Optional<RelatedRecord> recordOf(ObjectRef copy) {
    return Optional.ofNullable(records.get(copy));
  }

  List<RelatedRecord> records() {
    return List.copyOf(records.values());
  }

  private CopySnapshot read(RelatedPair subject, Optional<RelatedRecord> record) {
    Optional<KubeObject> copy = at(subject.copy());
    boolean isFirst = subject.copy().equals(copyRef("c1"));
    ObjectRef recorded = record.map(RelatedRecord::original).orElse(subject.original());
    return new CopySnapshot(
        rules,
        OWNER,
        new CopySnapshot.Original(subject.original(), at(subject.original())),
        new CopySnapshot.Copy(
            subject.copy(),
            copy,
            namespace,
            isFirst && copy.isPresent() ? provenance : new Provenance.Unknown()),
        new CopySnapshot.Known(
            record,
            recorded.equals(subject.original()) ? Optional.empty() : at(recorded),
            Optional.empty(),
            copy.isPresent()
                    && record.filter(RelatedRecord::isDone).isEmpty()
                    && subject.original().equals(originalRef("o1"))
                ? earlier
                : Optional.empty()),
        new CopySnapshot.Sharers(
            isFirst ? others : OtherOwners.NONE,
            Optional.empty(),
            recorded.equals(originalRef("o1")) && others != OtherOwners.CONFLICT
                ? others
                : OtherOwners.NONE,
            copy.isPresent() ? otherAgents(isFirst, record) : OtherAgents.NONE));
  }

  private OtherAgents otherAgents(boolean isFirst, Optional<RelatedRecord> own) {
    if (!isFirst || otherAgents == OtherAgents.NONE) {
      return OtherAgents.NONE;
    }
    return own.isPresent() ? otherAgents : OtherAgents.NOT_ANNOUNCED;
  }

  RelatedWorld with(OtherAgents agents) {
    otherAgents = agents;
    return this;
  }

  /** The first copy is not recorded as made yet. */
  RelatedWorld withCopyCreatedHere(Map<String, Object> content) {
    provenance = new Provenance.CreatedHere(content);
    return this;
  }

  RelatedWorld withEarlier(Map<String, Object> content) {
    earlier = Optional.of(content);
    return this;
  }

  static KubeObject secret(String name) {
    return SECRETS.computeIfAbsent(name, RelatedWorld::newSecret);
  }

  private static KubeObject newSecret(String name) {
    return object(
        """
        {'apiVersion':'v1','kind':'Secret','data':{'key':'dmFsdWU='},
         'metadata':{'namespace':'default','name':'%1$s','uid':'%1$s','resourceVersion':'1'}}
        """
            .formatted(name));
  }

  @Override
  public String toString() {
    return rules.entry().origin()
        + " "
        + rules.entry().cleanup()
        + " "
        + rules.adoption()
        + " others="
        + others
        + " otherAgents="
        + otherAgents
        + (deleting ? " going " : " living ")
        + called
        + "\n objects "
        + objects
        + "\n records "
        + records;
  }
}
