package dev.mooring.cli.why.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.live.ServedType;
import dev.mooring.cli.why.decide.Cause.Check;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each check of {@link SyncCauses}, from facts of which only its own are amiss. */
class SyncCausesTest {
  private static final ResourceType TYPE =
      new ResourceType("certificates.example.corp", "v1alpha1", "certificates");
  private static final Map<String, Object> SPEC =
      Map.of(
          "resource",
          Map.of("apiGroup", "pki.example.corp", "version", "v1", "kind", "Certificate"));
  private static final KubeObject OBJECT =
      KubeObject.of(TYPE, "Certificate", "default", "shop")
          .with(List.of(SyncMarks.FINALIZER), "metadata", "finalizers");
  private static final KubeObject BINDING =
      KubeObject.of(
          Map.of(
              "metadata",
              Map.of("name", "certs"),
              "spec",
              Map.of("reference", Map.of("export", Map.of("path", "root:a", "name", "certs"))),
              "status",
              Map.of(
                  "phase",
                  "Bound",
                  "boundResources",
                  List.of(Map.of("group", TYPE.group(), "resource", TYPE.resource())))));
  private static final AgentView.Answers CONTENT =
      new AgentView.Answers(List.of(), Optional.empty(), Optional.empty());
  private static final Set<String> FOUND_BY = new HashSet<>();

  private static final ServedType SERVED = new ServedType(TYPE, "Certificate", true);

  private KubeObject object = OBJECT;
  private boolean served = true;
  private boolean exists = true;
  private Fact<List<Binding>> bindings = new Fact.Known<>(List.of(new Binding(BINDING)));
  private Fact<Map<String, String>> namespaceLabels = new Fact.Known<>(Map.of());
  private Fact<List<SeenEvent>> events = new Fact.Known<>(List.of());
  private Fact<List<Published>> published = known(published(SPEC, condition("True", "Syncing")));
  private Fact<List<KubeObject>> copies = new Fact.Known<>(List.of());
  private List<RelatedObject> related = List.of();
  private Fact<AgentView> agent = new Fact.Known<>(CONTENT);

  @AfterAll
  static void everyCheckFoundSomething() {
    assertThat(FOUND_BY)
        .containsExactlyInAnyOrderElementsOf(SyncCauses.CHECKS.stream().map(Check::name).toList());
  }

  @Test
  void findsNothingAboutASyncedObject() {
    assertThat(SyncCauses.first(facts())).isEmpty();
    assertThat(SyncCauses.stateOf(facts())).isEqualTo(State.synced);
  }

  @Test
  void takesAnObjectThatTheAgentIsAboutToSyncForPending() {
    reports("pending", "Syncing", "");

    assertThat(SyncCauses.first(facts())).isEmpty();
    assertThat(SyncCauses.stateOf(facts())).isEqualTo(State.pending);
  }

  /** A consumer with few permissions reads the object alone. */
  @Test
  void knowsNoCauseOfAnObjectWithoutAnyOtherFact() {
    bindings = new Fact.Unread<>("forbidden");
    namespaceLabels = new Fact.Unread<>("forbidden");
    events = new Fact.Unread<>("forbidden");
    published = new Fact.Unread<>("name the service cluster");
    copies = new Fact.Unread<>("name the service cluster");
    agent = new Fact.Unread<>("the sync agent wants a bearer token");

    assertThat(SyncCauses.first(facts())).isEmpty();
    assertThat(SyncCauses.stateOf(facts())).isEqualTo(State.synced);
    object = untaken();
    assertThat(SyncCauses.first(facts())).isEmpty();
    assertThat(SyncCauses.stateOf(facts())).isEqualTo(State.unsynced);
  }

  @ParameterizedTest
  @CsvSource({
    "False, InvalidTemplate, failed, is not in force, mooring lint",
    "False, Paused, paused, does not sync, spec.synchronization",
    "False, Disabled, paused, does not sync, spec.synchronization"
  })
  void quotesTheConditionOfThePublishedResource(
      String status, String reason, State state, String message, String fix) {
    published = known(published(SPEC, condition(status, reason)));

    Finding finding = finding(reason, state);

    assertThat(finding.message()).contains("PublishedResource certificates " + message);
    assertThat(finding.evidence()).containsExactly("Accepted " + reason + ": because");
    assertThat(finding.fix()).contains(fix);
  }

  @Test
  void saysThatNoAgentHasReadThePublishedResource() {
    published = known(published(SPEC));

    assertThat(finding("NotReported", State.pending).message()).contains("was not read");
  }

  @Test
  void saysThatNoAgentHasReadTheLatestPublishedResource() {
    published =
        known(
            new Published(
                published(SPEC, condition("True", "Syncing"))
                    .object()
                    .with(2L, "metadata", "generation")));

    assertThat(finding("Outdated", State.pending).evidence().getFirst())
        .startsWith("Outdated: the object changed (generation 2)");
  }

  @Test
  void leavesNoEndpointsToTheChecksOfTheBinding() {
    published = known(published(SPEC, condition("False", "NoEndpoints")));
    served = false;
    bindings = new Fact.Known<>(List.of());

    assertThat(finding("TypeNotBound", State.absent).evidence())
        .containsExactly("the workspace has no APIBinding");
  }

  @Test
  void quotesABindingThatIsNotBound() {
    served = false;
    bindings =
        new Fact.Known<>(
            List.of(
                new Binding(
                    BINDING.with(
                        Map.of(
                            "phase",
                            "Binding",
                            "conditions",
                            List.of(
                                Map.of(
                                    "type", "APIExportValid",
                                    "status", "False",
                                    "reason", "APIExportNotFound",
                                    "message", "no such export"))),
                        "status"))));

    assertThat(finding("BindingNotBound", State.absent).evidence())
        .containsExactly(
            "APIBinding certs: APIExportValid is False, APIExportNotFound: no such export");
  }

  @Test
  void namesWhatTheWorkspaceBindsInPlaceOfTheType() {
    served = false;

    assertThat(finding("TypeNotBound", State.absent).evidence())
        .containsExactly("the workspace binds only root:a:certs");

    bindings = new Fact.Unread<>("forbidden");
    assertThat(finding("TypeNotBound", State.absent).evidence())
        .containsExactly("APIBindings not read: forbidden");
  }

  @Test
  void saysThatThereIsNoSuchObject() {
    exists = false;

    assertThat(finding("ObjectNotFound", State.absent).message())
        .isEqualTo("there is no certificate shop in workspace root:b");
  }

  @Test
  void saysThatTheAgentDoesNotAnswer() {
    agent = new Fact.Known<>(new AgentView.Silent("connection refused"));

    assertThat(finding("AgentStopped", State.pending).evidence())
        .containsExactly("connection refused");
  }

  @ParameterizedTest
  @CsvSource({
    "service cluster: no route, ServiceClusterUnavailable",
    "kcp: no route, KcpUnavailable",
    "certificates: cannot be listed, AgentNotReady"
  })
  void namesTheClusterThatTheAgentCannotWorkWith(String reason, String cause) {
    agent =
        new Fact.Known<>(
            new AgentView.Answers(List.of(reason), Optional.empty(), Optional.empty()));

    assertThat(finding(cause, State.pending).evidence()).containsExactly(reason);
  }

  @Test
  void ignoresWhatTheAgentSaysAboutOtherTypes() {
    agent =
        new Fact.Known<>(
            new AgentView.Answers(
                List.of("issuers: cannot be listed"), Optional.empty(), Optional.empty()));

    assertThat(SyncCauses.first(facts())).isEmpty();
  }

  @Test
  void namesTheAnnotationThatPauses() {
    object = OBJECT.with("true", "metadata", "annotations", SyncMarks.PAUSED);
    finding("Paused", State.paused);

    object = OBJECT.with("false", "metadata", "annotations", SyncMarks.PAUSED);
    assertThat(SyncCauses.first(facts())).isEmpty();
  }

  @Test
  void namesTheClaimsThatTheBindingDoesNotAccept() {
    bindings = claiming();
    agent = new Fact.Unread<>("not asked");

    assertThat(finding("ClaimRejected", State.refused).evidence())
        .containsExactly("not accepted: secrets");
  }

  @Test
  void ignoresAClaimThatTheAgentDidNotNeed() {
    bindings = claiming();

    assertThat(SyncCauses.first(facts())).isEmpty();
  }

  private static Fact<List<Binding>> claiming() {
    KubeObject claims =
        BINDING.with(
            List.of(Map.of("group", "", "resource", "secrets")),
            "status",
            "exportPermissionClaims");
    return new Fact.Known<>(List.of(new Binding(claims)));
  }

  @Test
  void namesTheFinalizersOfACopyThatIsBeingDeleted() {
    copies =
        new Fact.Known<>(
            List.of(
                deleting(KubeObject.of(TYPE, "Certificate", "ns", "copy"), "example.org/vault")));

    Finding finding = finding("CopyTerminating", State.terminating);
    assertThat(finding.evidence())
        .containsExactly("Certificate ns/copy has finalizers example.org/vault");
    assertThat(finding.fix()).contains("example.org/vault");
  }

  @Test
  void namesTheLabelsThatTheFilterAsksFor() {
    published = known(published(filter("resource"), condition("True", "Syncing")));
    assertThat(finding("OutOfFilter", State.skipped).evidence())
        .containsExactly("spec.filter.resource asks for labels of the object: tier in (gold)");

    published = known(published(filter("namespace"), condition("True", "Syncing")));
    assertThat(finding("OutOfFilter", State.skipped).evidence())
        .containsExactly("spec.filter.namespace asks for labels of the Namespace: tier in (gold)");

    namespaceLabels = new Fact.Known<>(Map.of("tier", "gold"));
    assertThat(SyncCauses.first(facts())).isEmpty();
  }

  private static Map<String, Object> filter(String part) {
    return Map.of(
        "resource",
        SPEC.get("resource"),
        "filter",
        Map.of(part, Map.of("matchLabels", Map.of("tier", "gold"))));
  }

  @ParameterizedTest
  @CsvSource({"failed, failed", "refused, refused", "skipped, skipped", "pending, pending"})
  void quotesTheAgent(String outlook, State state) {
    reports(outlook, "NameCollision", "taken");

    Finding finding = finding("NameCollision", state);
    assertThat(finding.evidence()).containsExactly("the sync agent: taken");
    assertThat(finding.fix()).startsWith("rename this object");
  }

  @ParameterizedTest
  @CsvSource({
    "NamingFailed, too long, refused",
    "Paused, paused, paused",
    "OutOfFilter, no label, skipped",
    "ReconcilingError, no answer, failed",
    "ReconcilingError, the service cluster refuses what syncing writes, refused"
  })
  void takesTheLatestEventWithoutAnAgent(String reason, String message, State state) {
    agent = new Fact.Unread<>("not asked");
    events = new Fact.Known<>(List.of(event("Warning", reason, message)));

    assertThat(finding(reason, state).evidence().getFirst()).endsWith(reason + ": " + message);
  }

  @Test
  void ignoresAWarningThatANormalEventFollowed() {
    agent = new Fact.Unread<>("not asked");
    events =
        new Fact.Known<>(
            List.of(event("Normal", "ObjectSynced", ""), event("Warning", "NamingFailed", "")));

    assertThat(SyncCauses.first(facts())).isEmpty();
  }

  @Test
  void namesTheFinalizersOfOtherControllers() {
    object = deleting(OBJECT, SyncMarks.FINALIZER, "example.org/backup");

    assertThat(finding("HeldByFinalizer", State.terminating).fix())
        .isEqualTo("find out what keeps example.org/backup from being removed");
  }

  @Test
  void saysThatNoAgentEndedTheDeletion() {
    object = deleting(OBJECT, SyncMarks.FINALIZER);

    assertThat(finding("AgentHasNotCleanedUp", State.terminating).evidence())
        .containsExactly("finalizers: " + SyncMarks.FINALIZER);
  }

  @Test
  void saysThatNoAgentHasTakenTheObject() {
    object = untaken();

    assertThat(finding("NotTaken", State.pending).fix()).contains("--agent-url");
  }

  @ParameterizedTest
  @CsvSource({
    "kcp, create it in this workspace",
    "service, have the provider find out why the service cluster has not created it"
  })
  void saysWhoHasToCreateAMissingRelatedObject(String origin, String fix) {
    related =
        List.of(
            new RelatedObject("tls", origin, "Secret default/shop-tls", new Fact.Known<>(false)));

    Finding finding = finding("RelatedMissing", State.pending);
    assertThat(finding.evidence())
        .containsExactly(
            "Secret default/shop-tls of entry tls (origin %s) does not exist in the workspace"
                .formatted(origin));
    assertThat(finding.fix()).isEqualTo(fix);
  }

  @Test
  void quotesTheAgentAboutARelatedObjectThatItWaitsFor() {
    agent =
        new Fact.Known<>(
            new AgentView.Answers(List.of(), Optional.empty(), Optional.of("tls: not there yet")));

    assertThat(finding("RelatedMissing", State.pending).evidence())
        .containsExactly("the sync agent: tls: not there yet");
  }

  @Test
  void takesARelatedObjectThatItMayNotReadForExisting() {
    related =
        List.of(
            new RelatedObject(
                "tls", "kcp", "Secret default/shop-tls", new Fact.Unread<>("forbidden")));

    assertThat(SyncCauses.first(facts())).isEmpty();
  }

  private Finding finding(String reason, State state) {
    Cause cause = SyncCauses.first(facts()).orElseThrow();
    FOUND_BY.add(cause.check());
    assertThat(cause.finding().reason()).isEqualTo(reason);
    assertThat(cause.finding().state()).isEqualTo(state);
    return cause.finding();
  }

  private SyncFacts facts() {
    return new SyncFacts(
        "certificate shop",
        "workspace root:b",
        served ? Optional.of(SERVED) : Optional.empty(),
        served && exists ? Optional.of(object) : Optional.empty(),
        bindings,
        namespaceLabels,
        events,
        published,
        copies,
        related,
        agent);
  }

  private void reports(String outlook, String reason, String message) {
    agent =
        new Fact.Known<>(
            new AgentView.Answers(
                List.of(),
                Optional.of(new AgentView.Report(outlook, reason, message)),
                Optional.empty()));
  }

  private static KubeObject untaken() {
    return OBJECT.with(List.of(), "metadata", "finalizers");
  }

  private static KubeObject deleting(KubeObject object, String... finalizers) {
    return object
        .with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp")
        .with(List.of(finalizers), "metadata", "finalizers");
  }

  private static SeenEvent event(String type, String reason, String message) {
    return new SeenEvent(
        KubeObject.of(
            Map.of(
                "type", type,
                "reason", reason,
                "message", message,
                "lastTimestamp", "2026-01-01T00:00:00Z",
                "source", Map.of("component", "mooring-sync-agent"))));
  }

  private static Fact<List<Published>> known(Published one) {
    return new Fact.Known<>(List.of(one));
  }

  private static Published published(Map<String, Object> spec, Object... conditions) {
    return new Published(
        KubeObject.of(
            Map.of(
                "kind",
                "PublishedResource",
                "metadata",
                Map.of("name", "certificates", "generation", 1L),
                "spec",
                spec,
                "status",
                Map.of("conditions", List.of(conditions)))));
  }

  private static Object condition(String status, String reason) {
    return Map.of(
        "type",
        "Accepted",
        "status",
        status,
        "reason",
        reason,
        "message",
        "because",
        "observedGeneration",
        1L);
  }
}
