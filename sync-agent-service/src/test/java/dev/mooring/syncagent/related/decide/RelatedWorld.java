package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedFixture.entry;
import static dev.mooring.syncagent.related.decide.RelatedFixture.object;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.RelatedResource.Origin;
import dev.mooring.syncagent.related.decide.RelatedRecord.Ownership;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.CopyNamespace;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Elsewhere;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Others;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Provenance;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All there is beside one primary: originals "o1" to "o3" and copies "c1" to "c3", in a state that
 * actions change as servers would.
 */
final class RelatedWorld implements Sightings, Cloneable {
  static final OriginalHold HOLD = OriginalHold.of("agent");
  static final Holder HOLDER =
      new Holder(
          "things.example.io", new ObjectKey(new LogicalCluster("c1"), "default", "web"), "tls");

  private RelatedSnapshot.Rules rules;
  private final List<Pair> called;
  private final Others others;
  private final boolean deleting;
  private Map<Spot, KubeObject> objects = new HashMap<>();
  private Map<Spot, RelatedRecord> records = new HashMap<>();
  private CopyNamespace namespace = CopyNamespace.ABSENT;
  private Map<String, Object> notes = new HashMap<>();

  /** What this process made the first copy with. */
  private Provenance provenance = new Provenance.Unknown();

  /** Of the first copy. */
  private Elsewhere elsewhere = Elsewhere.NOBODY;

  /** What an earlier agent said of the first original. */
  private Optional<Map<String, Object>> earlier = Optional.empty();

  /** What does not change. */
  RelatedWorld(
      RelatedResource entry, Adoption adoption, List<String> called, Others others, Phase phase) {
    this.rules =
        new RelatedSnapshot.Rules(
            entry, "Secret", StatusSubresource.PRESENT, adoption, HOLD, new Sight.Full());
    this.called =
        called.stream()
            .map(pair -> pair.split(">"))
            .map(pair -> new Pair(new Place("default", pair[0]), new Place("default", pair[1])))
            .sorted()
            .toList();
    this.others = others;
    this.deleting = phase == Phase.GOING;
  }

  RelatedWorld withCopyStatus(StatusSubresource status) {
    rules =
        new RelatedSnapshot.Rules(
            rules.entry(), rules.copyKind(), status, rules.adoption(), HOLD, new Sight.Full());
    return this;
  }

  /** Of the primary. */
  enum Phase {
    LIVING,
    GOING
  }

  private static final KubeObject PRIMARY =
      object("{'metadata':{'namespace':'default','name':'web'}}");
  private static final Map<Origin, RelatedResource> ENTRIES =
      Map.of(
          Origin.KCP, entry("kcp", "{'template':{'template':'x'}}"),
          Origin.SERVICE, entry("service", "{'template':{'template':'x'}}"));
  private static final Map<String, KubeObject> SECRETS = new HashMap<>();

  static RelatedResource entryOf(Origin origin, Cleanup cleanup) {
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

  RelatedWorld with(Spot spot, KubeObject object) {
    if (object != null) {
      objects.put(spot, object);
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
            HOLDER,
            originalSpot(original),
            copySpot(copy),
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

  Spot originalSpot(String name) {
    return spot(rules.entry().origin().side(), name);
  }

  Spot copySpot(String name) {
    return spot(rules.entry().origin().side().other(), name);
  }

  private static Spot spot(Side side, String name) {
    return new Spot(
        side,
        ResourceType.core("secrets"),
        side == Side.KCP ? HOLDER.primary().cluster() : LogicalCluster.NONE,
        new Place("default", name));
  }

  RelatedSet seen() {
    KubeObject primary = PRIMARY.with(notes, "metadata", "annotations");
    if (deleting) {
      primary = primary.with("now", "metadata", "deletionTimestamp");
    }
    return new RelatedGathering(rules, HOLDER, primary, this)
        .gather(new Resolution(called, Set.of(), new Resolution.Outcome.Complete()));
  }

  RelatedPlan plan() {
    return plans().first();
  }

  RelatedPlans plans() {
    return deleting ? RelatedPlanner.windDown(seen()) : RelatedPlanner.keepInStep(seen());
  }

  RelatedWorld after(RelatedAction action) {
    RelatedWorld next = copyOf();
    switch (action) {
      case RelatedAction.HoldOriginal(var at, var original, var finalizers) ->
          next.objects.put(at, original.with(finalizers, "metadata", "finalizers"));
      case RelatedAction.ReleaseOriginal(var at, var original, var finalizers) -> {
        if (original.deleting() && finalizers.isEmpty()) {
          next.objects.remove(at);
        } else {
          next.objects.put(at, original.with(finalizers, "metadata", "finalizers"));
        }
      }
      case RelatedAction.CreateNamespace _ -> next.namespace = CopyNamespace.PRESENT;
      case RelatedAction.CreateCopy(var at, var desired) ->
          next.objects.put(at, desired.with("new", "metadata", "uid"));
      case RelatedAction.PatchCopy(var at, var copy, var patch) ->
          next.objects.put(at, MergePatch.apply(copy, patch));
      case RelatedAction.WriteStatus(var at, var desired) -> next.objects.put(at, desired);
      case RelatedAction.DeleteCopy(var at, var _, var _) -> next.objects.remove(at);
      case RelatedAction.StoreRecord(var record) -> {
        next.records.put(record.copy(), record);
        if (next.elsewhere != Elsewhere.NOBODY) {
          next.elsewhere = Elsewhere.UNTOLD;
        }
        next.provenance = new Provenance.Unknown();
      }
      // Whether another agent lets go meanwhile is nobody's to say; here it does not.
      case RelatedAction.LetGo _ -> next.elsewhere = Elsewhere.TOLD;
      case RelatedAction.Forget(var record) -> next.records.remove(record.copy());
      case RelatedAction.DropRecord(var record, var _) -> next.records.remove(record.copy());
      case RelatedAction.Note(var changes) ->
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

  RelatedSnapshot.Rules rules() {
    return rules;
  }

  List<Pair> called() {
    return called;
  }

  Others others() {
    return others;
  }

  Elsewhere elsewhere() {
    return elsewhere;
  }

  Map<String, Object> notes() {
    return Map.copyOf(notes);
  }

  Optional<KubeObject> at(Spot spot) {
    return Optional.ofNullable(objects.get(spot));
  }

  Optional<RelatedRecord> recordOf(Spot copy) {
    return Optional.ofNullable(records.get(copy));
  }

  @Override
  public Optional<KubeObject> original(Spot spot) {
    return at(spot);
  }

  @Override
  public Optional<KubeObject> copy(Spot spot) {
    return at(spot);
  }

  @Override
  public CopyNamespace namespace(Spot copy) {
    return namespace;
  }

  @Override
  public Provenance provenance(Spot copy, KubeObject object) {
    return copy.equals(copySpot("c1")) ? provenance : new Provenance.Unknown();
  }

  @Override
  public Provenance end(RelatedRecord record) {
    return new Provenance.Unknown();
  }

  @Override
  public List<RelatedRecord> records() {
    return List.copyOf(records.values());
  }

  @Override
  public Others othersOfCopy(Spot original, Spot copy, Optional<RelatedRecord> own) {
    return copy.equals(copySpot("c1")) ? others : Others.NONE;
  }

  @Override
  public Others othersOfOriginal(Spot original) {
    return original.equals(originalSpot("o1")) && others != Others.CONFLICT ? others : Others.NONE;
  }

  @Override
  public Elsewhere elsewhere(Spot spot, KubeObject copy, Optional<RelatedRecord> own) {
    if (!spot.equals(copySpot("c1")) || elsewhere == Elsewhere.NOBODY) {
      return Elsewhere.NOBODY;
    }
    return own.isPresent() ? elsewhere : Elsewhere.UNTOLD;
  }

  RelatedWorld with(Elsewhere agents) {
    elsewhere = agents;
    return this;
  }

  @Override
  public Optional<Map<String, Object>> earlier(Spot original, Spot copy, KubeObject there) {
    return original.equals(originalSpot("o1")) ? earlier : Optional.empty();
  }

  @Override
  public Optional<KubeObject> emptiedWithout(RelatedRecord record) {
    return Optional.empty();
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
        + " elsewhere="
        + elsewhere
        + (deleting ? " going " : " living ")
        + called
        + "\n objects "
        + objects
        + "\n records "
        + records;
  }
}
