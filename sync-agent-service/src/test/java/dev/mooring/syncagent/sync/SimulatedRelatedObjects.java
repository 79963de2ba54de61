package dev.mooring.syncagent.sync;

import static dev.mooring.syncagent.sync.SimulatedAgent.SECRETS;
import static dev.mooring.syncagent.sync.SimulatedAgent.THINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.simulation.ServerModel.Actor;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The related objects of the things, and what an agent may never do to them. The service creates a
 * login for each thing; the consumer creates its settings, which in some seeds all things of a
 * workspace share.
 */
final class SimulatedRelatedObjects {
  static final String LOGIN = "login";
  static final String SETTINGS = "settings";
  private static final String STATES = "agents";
  private static final String RECORD = "syncagent.kcp.io/related-object";

  private final SyncRules rules;
  private final List<RelatedResource> entries;
  private final boolean settingsAreShared;
  private final ServerModel kcp;
  private final ServerModel service;

  /** Secrets that an agent made: the server and the uid, which is unique there. */
  private final Set<String> made = new HashSet<>();

  /** Whether two agents of one name run: one may create a copy whose record the other deletes. */
  boolean severalAgents;

  /** By uid of a thing's copy that an agent deleted: the Secrets that were there then. */
  final Map<String, Set<ObjectKey>> deleted = new HashMap<>();

  /** Whether a client changed an object between an agent's decision and its request. */
  boolean interrupted;

  SimulatedRelatedObjects(
      SyncRules rules, List<RelatedResource> entries, ServerModel kcp, ServerModel service) {
    this.rules = rules;
    this.entries = entries;
    this.settingsAreShared = entries.stream().anyMatch(e -> e.identifier().equals("shared"));
    this.kcp = kcp;
    this.service = service;
  }

  /** None, both, or both with settings that things share. */
  static List<RelatedResource> entries(Kind kind, Cleanup cleanup) {
    String login =
        """
        {"identifier":"login","origin":"service","kind":"Secret","cleanup":%s,
         "object":{"template":{"template":"{{ .Object.metadata.name }}-login"}}}
        """
            .formatted(cleanup == Cleanup.DELETE);
    String settings =
        """
        {"identifier":"%s","origin":"kcp","kind":"Secret",
         "object":{"template":{"template":"%s-settings"}}}
        """;
    return switch (kind) {
      case NONE -> List.of();
      case OWN -> read(login, settings.formatted("own", "{{ .Object.metadata.name }}"));
      case SHARED -> read(login, settings.formatted("shared", "all"));
    };
  }

  /** Which related objects things have. */
  enum Kind {
    NONE,
    OWN,
    SHARED
  }

  private static List<RelatedResource> read(String... entries) {
    return PublishedResource.read(
            KubeObject.of(
                Map.of(
                    "metadata",
                    Map.of("name", "pub"),
                    "spec",
                    Map.of(
                        "resource",
                        Map.of("kind", "Thing"),
                        "related",
                        KubeJson.read("[" + String.join(",", entries) + "]")))))
        .related();
  }

  boolean isPresent() {
    return !entries.isEmpty();
  }

  /** The name of a thing's login or settings, on either side. */
  String name(String sort, String thing) {
    return (sort.equals(SETTINGS) && settingsAreShared ? "all" : thing) + "-" + sort;
  }

  void wroteInKcp(Actor actor, ObjectKey key, KubeObject before, KubeObject after) {
    wrote(actor, key, before, after, key.name().endsWith(SETTINGS));
  }

  void wroteOnService(Actor actor, ObjectKey key, KubeObject before, KubeObject after) {
    if (key.namespace().equals(STATES)) {
      boolean forgotten = after == null && before.labels().containsKey(RECORD);
      if (forgotten && cleanup() == Cleanup.KEEP) {
        SourceMarks.sourceOf(before).ifPresent(this::forgot);
      }
    } else {
      wrote(actor, key, before, after, key.name().endsWith(LOGIN));
    }
  }

  /** What stays of a thing that is gone, or has left the filter, is nobody's. */
  private void forgot(ObjectKey thing) {
    var key = new ObjectKey(thing.cluster(), "default", name(LOGIN, thing.name()));
    KubeObject left = kcp.all(SECRETS).get(key);
    KubeObject source = kcp.all(THINGS).get(thing);
    boolean wanted =
        source != null && !source.deleting() && rules.resourceFilter().matches(source.labels());
    if (left != null && !wanted) {
      made.remove(id(key, left));
    }
  }

  private void wrote(
      Actor actor, ObjectKey key, KubeObject before, KubeObject after, boolean original) {
    if (actor == Actor.PERSON) {
      return;
    }
    if (before == null) {
      assertThat(original).as("%s, which the agent made, is an original", key).isFalse();
      made.add(id(key, after));
      return;
    }
    if (original) {
      checkOriginal(key, before, after);
    } else {
      checkCopy(key, before, after);
    }
  }

  private static String id(ObjectKey key, KubeObject secret) {
    return (key.cluster().equals(LogicalCluster.NONE) ? "service " : "kcp ") + secret.uid();
  }

  private static void checkOriginal(ObjectKey key, KubeObject before, KubeObject after) {
    assertThat(key.cluster()).as("where %s is", key).isNotEqualTo(LogicalCluster.NONE);
    var lost = new TreeSet<>(before.finalizers());
    lost.removeIf(finalizer -> finalizer.startsWith(SyncMarks.FINALIZER));
    if (after == null) {
      assertThat(before.deleting()).as("%s was going anyway", key).isTrue();
    } else {
      assertThat(after.at("data")).as("data of original %s", key).isEqualTo(before.at("data"));
      assertThat(after.deleting()).as("%s is going", key).isEqualTo(before.deleting());
      lost.removeAll(after.finalizers());
    }
    assertThat(lost).as("others' finalizers that %s lost", key).isEmpty();
  }

  private void checkCopy(ObjectKey key, KubeObject before, KubeObject after) {
    boolean byUs = made.contains(id(key, before));
    boolean ours = byUs || rules.adoption() == Adoption.ALWAYS;
    if (after == null || after.deleting() && !before.deleting()) {
      checkNotNeeded(key);
      assertThat(ours).as("%s, which the agent deleted, was made by it", key).isTrue();
      return;
    }
    if (byUs || rules.adoption() != Adoption.ALWAYS) {
      assertThat(after.at("data", "local"))
          .as("data of %s that only the copy has", key)
          .isEqualTo(before.at("data", "local"));
    }
    assertThat(ours || rules.adoption() == Adoption.UNCLAIMED)
        .as("%s, which the agent changed, was made or taken on by it", key)
        .isTrue();
  }

  /**
   * A thing's end may need its settings as long as its copy is there, and its consumer the login;
   * until the agent deletes that copy, only settings that are recorded as created for the thing,
   * and whose original stays: the agent may not know yet that the thing goes.
   */
  private void checkNotNeeded(ObjectKey secret) {
    boolean settings = secret.cluster().equals(LogicalCluster.NONE);
    for (ObjectKey thing :
        interrupted ? List.<ObjectKey>of() : callers(settings ? SETTINGS : LOGIN, secret)) {
      boolean going = kcp.all(THINGS).get(thing).deleting();
      List<KubeObject> copies =
          service.all(THINGS).values().stream()
              .filter(SimulatedWorld::isMarked)
              .filter(copy -> SourceMarks.identityOf(copy).equals(SourceMarks.identity(thing)))
              .filter(copy -> !settings || copy.namespace().equals(secret.namespace()))
              .filter(copy ->
                  deleted.getOrDefault(copy.uid(), Set.of()).contains(secret)
                      || isRecorded(secret, thing) && !(settings && isOriginalGoing(secret, thing)))
              .toList();
      boolean original =
          settings
              || copies.stream()
                  .map(copy -> new ObjectKey(LogicalCluster.NONE, copy.namespace(), secret.name()))
                  .anyMatch(service.all(SECRETS)::containsKey);
      assertThat(going && original ? copies : List.of())
          .as("copies of %s, which may need %s", thing, secret)
          .isEmpty();
    }
  }

  private boolean isOriginalGoing(ObjectKey settings, ObjectKey thing) {
    KubeObject original =
        kcp.all(SECRETS).get(new ObjectKey(thing.cluster(), "default", settings.name()));
    return original == null || original.deleting();
  }

  private boolean isRecorded(ObjectKey secret, ObjectKey thing) {
    return service.all(SECRETS).values().stream()
        .filter(record -> record.labels().containsKey(RECORD))
        .filter(record -> SourceMarks.sourceOf(record).equals(Optional.of(thing)))
        .map(record -> new String(Base64.getDecoder().decode(record.text("data", "record"))))
        .anyMatch(
            record -> record.contains("\"" + secret.name() + "\"") && record.contains("\"MADE\""));
  }

  void checkSettled() {
    if (!isPresent()) {
      return;
    }
    kcp.all(THINGS).forEach(this::checkThing);
    service
        .all(SECRETS)
        .forEach((key, secret) -> {
          if (secret.labels().containsKey(RECORD)) {
            checkRecord(secret);
          } else if (key.name().endsWith(SETTINGS) && made.contains(id(key, secret))) {
            assertThat(callers(SETTINGS, key)).as("things that need %s", key).isNotEmpty();
          }
        });
    kcp.all(SECRETS)
        .forEach((key, secret) -> {
          if (key.name().endsWith(SETTINGS)) {
            checkHold(key, secret);
          } else if (made.contains(id(key, secret)) && cleanup() == Cleanup.DELETE) {
            assertThat(callers(LOGIN, key)).as("things that need %s", key).isNotEmpty();
          }
        });
  }

  private Cleanup cleanup() {
    return entries.getFirst().cleanup();
  }

  private void checkRecord(KubeObject record) {
    assertThat(SourceMarks.sourceOf(record))
        .as("primary of %s", record.name())
        .hasValueSatisfying(primary ->
            assertThat(kcp.all(THINGS).containsKey(primary) || hasCopy(primary))
                .as("%s or a copy of it is there", primary)
                .isTrue());
  }

  private boolean hasCopy(ObjectKey thing) {
    return service.all(THINGS).values().stream()
        .anyMatch(copy -> SourceMarks.identityOf(copy).equals(SourceMarks.identity(thing)));
  }

  private void checkHold(ObjectKey key, KubeObject settings) {
    if (settings.finalizers().stream().anyMatch(f -> f.startsWith(SyncMarks.FINALIZER))) {
      assertThat(callers(SETTINGS, key)).as("things for which %s is held", key).isNotEmpty();
    }
  }

  /** Things of the same workspace, or on the service cluster of any, whose related object it is. */
  private List<ObjectKey> callers(String sort, ObjectKey secret) {
    var callers = new ArrayList<ObjectKey>();
    kcp.all(THINGS)
        .forEach((key, thing) -> {
          boolean within =
              secret.cluster().equals(LogicalCluster.NONE)
                  || secret.cluster().equals(key.cluster());
          // One that is on its way out may wait for a copy that somebody holds.
          if (within && name(sort, key.name()).equals(secret.name())) {
            callers.add(key);
          }
        });
    return callers;
  }

  private void checkThing(ObjectKey key, KubeObject thing) {
    List<KubeObject> copies =
        service.all(THINGS).values().stream()
            .filter(copy ->
                SourceMarks.identityOf(copy).equals(SourceMarks.identity(key)) && !copy.deleting())
            .toList();
    if (thing.deleting()
        || !rules.resourceFilter().matches(thing.labels())
        || copies.size() != 1
        || !copies.getFirst().name().equals(key.name())) {
      return;
    }
    String namespace = copies.getFirst().namespace();
    check(
        kcp,
        service
            .all(SECRETS)
            .get(new ObjectKey(LogicalCluster.NONE, namespace, name(LOGIN, key.name()))),
        new ObjectKey(key.cluster(), "default", name(LOGIN, key.name())));
    ObjectKey settings = new ObjectKey(key.cluster(), "default", name(SETTINGS, key.name()));
    if (!namespace.equals("shared")) {
      check(
          service,
          kcp.all(SECRETS).get(settings),
          new ObjectKey(LogicalCluster.NONE, namespace, settings.name()));
    }
  }

  /** One copy, by its original. */
  private void check(ServerModel copies, KubeObject original, ObjectKey key) {
    KubeObject copy = copies.all(SECRETS).get(key);
    if (original == null || original.deleting()) {
      if (copy != null && made.contains(id(key, copy)) && !severalAgents) {
        assertThat(copy.finalizers()).as("%s, whose original is gone, is held", key).isNotEmpty();
      }
      return;
    }
    assertThat(copy).as("copy %s of what is there", key).isNotNull();
    if (made.contains(id(key, copy)) && !copy.deleting()) {
      assertThat(copy.at("data", "value"))
          .as("value of copy %s", key)
          .isEqualTo(original.at("data", "value"));
    }
  }
}
