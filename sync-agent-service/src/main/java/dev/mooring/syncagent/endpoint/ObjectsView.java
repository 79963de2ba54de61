package dev.mooring.syncagent.endpoint;

import dev.mooring.console.Cell;
import dev.mooring.console.Link;
import dev.mooring.console.Paging;
import dev.mooring.console.Query;
import dev.mooring.console.Section;
import dev.mooring.console.Statement;
import dev.mooring.console.Tone;
import dev.mooring.console.View;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.sync.ObjectDiagnosis;
import dev.mooring.syncagent.sync.ObjectDiagnosis.State;
import dev.mooring.syncagent.sync.ObjectSync;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The console's page of objects: a search over all published types, and one object's diagnosis. */
record ObjectsView(SyncAgent agent) {
  static final String PATH = "objects";
  static final String RESOURCE = "resource";
  private static final String TEXT = "text";
  private static final String STATE = "state";
  private static final String CLUSTER = "cluster";
  private static final String NAMESPACE = "namespace";
  private static final String NAME = "name";

  /** Matches that are sorted and paged; of each state no more are looked for. */
  private static final int MATCHES_MAX = 20_000;

  /** Related objects of one object. */
  private static final int RELATED_MAX = 100;

  /** States in the order of their objects: those that need attention are first. */
  private static final List<State> BY_URGENCY =
      List.of(State.FAILED, State.REFUSED, State.PENDING, State.SKIPPED, State.SYNCED);

  private record Match(ObjectSync sync, ObjectKey key) {
    static final Comparator<Match> ORDER =
        Comparator.<Match, ObjectKey>comparing(Match::key)
            .thenComparing(match -> match.sync().publishedName());
  }

  View view() {
    return new View(PATH, "Objects", "/actuator/status", this::sections);
  }

  private List<Section> sections(Query query) {
    return query.text(NAME).isEmpty() ? search(query) : diagnosis(query);
  }

  private List<Section> search(Query query) {
    var byState = new EnumMap<State, List<Match>>(State.class);
    syncs(query.text(RESOURCE))
        .forEach(sync ->
            sync.status()
                .find(query.lowerCase(TEXT))
                .forEach(key -> {
                  State state = sync.status().state(key);
                  List<Match> of = byState.computeIfAbsent(state, _ -> new ArrayList<>());
                  if (of.size() < MATCHES_MAX
                      && (query.text(STATE).isEmpty() || query.text(STATE).equals(word(state)))) {
                    of.add(new Match(sync, key));
                  }
                }));
    List<Match> matches =
        BY_URGENCY.stream()
            .flatMap(state -> byState.getOrDefault(state, List.of()).stream().sorted(Match.ORDER))
            .limit(MATCHES_MAX)
            .toList();
    Paging<Match> page = Paging.of(matches, query);
    return List.of(
        new Section.Search(
            "Find objects",
            PATH,
            List.of(
                Section.Field.text(
                    TEXT, "Text", "part of workspace, namespace or name", query.text(TEXT)),
                Section.Field.choice(
                    RESOURCE,
                    "PublishedResource",
                    agent.syncs().stream().map(ObjectSync::publishedName).sorted().toList(),
                    query.text(RESOURCE)),
                Section.Field.choice(
                    STATE,
                    "State",
                    Stream.of(State.values()).map(ObjectsView::word).toList(),
                    query.text(STATE)))),
        new Section.Table(
            "Objects",
            matches.size() == MATCHES_MAX
                ? "More than " + MATCHES_MAX + " objects: narrow the search."
                : page.note("Objects"),
            List.of("Object", "Workspace", "PublishedResource", "State", "Last report"),
            page.items().stream().map(ObjectsView::row).toList(),
            page.links(PATH, query)));
  }

  /**
   * @param name of one PublishedResource; empty for all
   */
  private Stream<ObjectSync> syncs(String name) {
    return agent.syncs().stream()
        .filter(sync -> name.isEmpty() || sync.publishedName().equals(name));
  }

  private static List<Cell> row(Match match) {
    ObjectKey key = match.key();
    Map<String, String> address =
        Map.of(
            RESOURCE, match.sync().publishedName(),
            CLUSTER, key.cluster().name(),
            NAMESPACE, key.namespace(),
            NAME, key.name());
    State state = match.sync().status().state(key);
    return List.of(
        Cell.link(place(key.namespace(), key.name()), Link.to(PATH, address)),
        Cell.of(workspace(match.sync().status().workspace(key), key)),
        Cell.of(match.sync().publishedName()),
        Cell.of(tone(state), word(state)),
        Cell.of(
            state == State.SYNCED
                ? ""
                : match.sync().status().of(key).map(ObjectsView::report).orElse("")));
  }

  private List<Section> diagnosis(Query query) {
    Optional<ObjectDiagnosis> diagnosis =
        key(query)
            .flatMap(key ->
                syncs(query.text(RESOURCE))
                    .flatMap(sync -> sync.status().of(key).stream())
                    .findFirst());
    return diagnosis
        .map(known -> diagnosis(query.text(RESOURCE), known))
        .orElseGet(() ->
            List.of(
                new Section.Statements(
                    "Object",
                    List.of(
                        Statement.of(
                            Tone.ATTENTION,
                            "The agent knows no object "
                                + place(query.text(NAMESPACE), query.text(NAME))
                                + " in logical cluster "
                                + query.text(CLUSTER)
                                + ", and no copy of it.")))));
  }

  private static Optional<ObjectKey> key(Query query) {
    try {
      return Optional.of(
          new ObjectKey(
              new LogicalCluster(query.text(CLUSTER)), query.text(NAMESPACE), query.text(NAME)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static List<Section> diagnosis(String resource, ObjectDiagnosis diagnosis) {
    var facts = new ArrayList<Section.Fact>();
    facts.add(fact("PublishedResource", Cell.of(resource)));
    facts.add(fact("Workspace", Cell.of(workspace(diagnosis.workspace(), diagnosis.key()))));
    facts.add(fact("State", Cell.of(tone(diagnosis.state()), word(diagnosis.state()))));
    if (diagnosis.state() != State.SYNCED) {
      facts.add(fact("Last report", Cell.of(report(diagnosis))));
    }
    diagnosis
        .unsyncedFor()
        .map(PublishedView::words)
        .filter(age -> !age.isEmpty())
        .ifPresent(age -> facts.add(fact("Not synced for", Cell.of(age))));
    diagnosis
        .source()
        .ifPresentOrElse(
            source -> about(source, facts),
            () -> facts.add(fact("Object", Cell.of(Tone.ATTENTION, "gone; its copy is left"))));
    return List.of(
        new Section.Facts(place(diagnosis.key().namespace(), diagnosis.key().name()), facts),
        copies(diagnosis),
        related(diagnosis));
  }

  private static void about(KubeObject object, List<Section.Fact> facts) {
    facts.add(fact("Created", Cell.of(object.text("metadata", "creationTimestamp"))));
    if (object.deleting()) {
      facts.add(
          fact("Deleted", Cell.of(Tone.ATTENTION, object.text("metadata", "deletionTimestamp"))));
    }
    if (!object.finalizers().isEmpty()) {
      facts.add(fact("Finalizers", Cell.of(String.join(", ", object.finalizers()))));
    }
  }

  private static Section copies(ObjectDiagnosis diagnosis) {
    return new Section.Table(
        "Copy on the service cluster",
        switch (diagnosis.copies().size()) {
          case 0 -> "There is no copy.";
          case 1 -> "The agent keeps it in sync with the object.";
          default ->
              diagnosis.copies().size() + " copies: the agent cannot tell which is the right one.";
        },
        List.of("Copy", "Deleted", "Finalizers"),
        diagnosis.copies().stream()
            .map(copy ->
                List.of(
                    Cell.of(copy.kind() + " " + place(copy.namespace(), copy.name())),
                    Cell.of(copy.text("metadata", "deletionTimestamp")),
                    Cell.of(String.join(", ", copy.finalizers()))))
            .toList(),
        Section.Pages.ONE);
  }

  private static Section related(ObjectDiagnosis diagnosis) {
    return new Section.Table(
        "Related objects",
        "Recorded: "
            + diagnosis.related().size()
            + diagnosis.relatedPending().map(why -> ". Pending: " + why).orElse(""),
        List.of("Entry", "Original", "Copy", "State"),
        diagnosis.related().stream().limit(RELATED_MAX).map(ObjectsView::row).toList(),
        Section.Pages.ONE);
  }

  private static List<Cell> row(RelatedRecord record) {
    return List.of(
        Cell.of(record.owner().identifier()),
        Cell.of(text(record.original())),
        Cell.of(text(record.copy())),
        Cell.of(record.isDone() ? "written" : "intended"));
  }

  private static String text(ObjectRef ref) {
    return ref.type().qualified()
        + " "
        + place(ref.namespace(), ref.name())
        + switch (ref.side()) {
          case KCP -> " in kcp";
          case SERVICE -> " on the service cluster";
        };
  }

  private static Section.Fact fact(String name, Cell value) {
    return new Section.Fact(name, value);
  }

  private static String report(ObjectDiagnosis diagnosis) {
    return diagnosis.reason().isEmpty()
        ? "waits for a reconcile"
        : diagnosis.reason() + (diagnosis.message().isEmpty() ? "" : ": " + diagnosis.message());
  }

  private static String workspace(Optional<String> path, ObjectKey key) {
    return path.map(known -> known + " (" + key.cluster() + ")").orElse(key.cluster().name());
  }

  private static String place(String namespace, String name) {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  private static String word(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static Tone tone(State state) {
    return switch (state) {
      case SYNCED -> Tone.GOOD;
      case PENDING -> Tone.NEUTRAL;
      case SKIPPED -> Tone.ATTENTION;
      case FAILED, REFUSED -> Tone.BAD;
    };
  }
}
