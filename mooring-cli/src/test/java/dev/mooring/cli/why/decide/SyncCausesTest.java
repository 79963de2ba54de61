package dev.mooring.cli.why.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.live.ServedType;
import dev.mooring.cli.why.decide.Cause.Check;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.cli.why.decide.Remedy.Who;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SyncMarks;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

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
  private Fact<List<KubeObject>> copies =
      new Fact.Known<>(List.of(KubeObject.of(TYPE, "Certificate", "ns", "copy")));
  private Fact<List<KubeObject>> siblings = new Fact.Known<>(List.of());
  private Optional<String> meant = Optional.empty();
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
  }

  @Test
  void takesAnObjectThatTheAgentIsAboutToSyncForPending() {
    reports("pending", "Syncing", "");

    assertThat(finding("Syncing", State.pending).remedy().isNeeded()).isFalse();
  }

  @Test
  void saysThatMooringDoesNotSyncTheType() {
    object = untaken();
    published = new Fact.Unread<>("name the service cluster");

    Finding finding = finding("TypeNotSynced", State.unsynced);
    assertThat(finding.message()).contains("root:a:certs serves them itself");
    assertThat(finding.remedy().isNeeded()).isFalse();
  }

  @Test
  void saysThatNoPublishedResourceIsLeft() {
    published = new Fact.Known<>(List.of());

    assertThat(finding("NotPublished", State.unsynced).remedy().who()).isEqualTo(Who.provider);
  }

  /** A schema that an agent made, and its claim on Events, show who serves the type. */
  @Test
  void knowsATypeThatAnAgentServesByItsBinding() {
    object = untaken();
    published = new Fact.Unread<>("name the service cluster");
    copies = new Fact.Unread<>("name the service cluster");
    agent = new Fact.Unread<>("name the sync agent");
    bindings = new Fact.Known<>(List.of(new Binding(served("vd612299f", "events"))));

    assertThat(finding("NotTaken", State.pending).remedy())
        .isEqualTo(
            new Remedy(
                Who.provider,
                "sync agent of the provider of root:a:certs",
                "start the sync agent, or look at its log; see also the conditions of the"
                    + " PublishedResource",
                "mooring why certificates.certificates.example.corp shop -n default --workspace"
                    + " root:b --service-kubeconfig FILE --agent-url URL"));

    bindings = new Fact.Known<>(List.of(new Binding(served("v1alpha1", "events"))));
    finding("TypeNotSynced", State.unsynced);
    bindings = new Fact.Known<>(List.of(new Binding(served("vd612299f", "secrets"))));
    finding("TypeNotSynced", State.unsynced);
  }

  private static KubeObject served(String schema, String claim) {
    return BINDING
        .with(
            List.of(
                Map.of(
                    "group", TYPE.group(),
                    "resource", TYPE.resource(),
                    "schema", Map.of("name", schema + "." + TYPE.qualified()))),
            "status",
            "boundResources")
        .with(List.of(Map.of("group", "", "resource", claim)), "status", "exportPermissionClaims")
        .with(
            List.of(Map.of("group", "", "resource", claim, "state", "Accepted")),
            "spec",
            "permissionClaims");
  }

  @Test
  void quotesWhatKcpSaysOfTheBindingOfTheType() {
    bindings =
        new Fact.Known<>(
            List.of(
                new Binding(
                    BINDING.with(
                        List.of(
                            Map.of(
                                "type", "APIExportValid",
                                "status", "False",
                                "reason", "APIExportNotFound",
                                "message", "no such export")),
                        "status",
                        "conditions"))));

    Finding finding = finding("BindingInvalid", State.failed);
    assertThat(finding.remedy().object()).isEqualTo("APIExport root:a:certs");
    assertThat(finding.remedy().who()).isEqualTo(Who.provider);
  }

  @Test
  void saysThatThereIsNoCopy() {
    copies = new Fact.Known<>(List.of());

    assertThat(finding("CopyMissing", State.pending).remedy().who()).isEqualTo(Who.provider);
  }

  @Test
  void saysThatTheAgentHasNotSeenTheLastChange() {
    agent = new Fact.Unread<>("name the sync agent");
    object = changedAt("2026-01-01T00:10:00Z");
    events = new Fact.Known<>(List.of(event("Normal", "ObjectSynced", "")));

    assertThat(finding("ChangeNotSeen", State.pending).evidence())
        .containsExactly(
            "spec changed 2026-01-01T00:10:00Z; the agent's last Event is 2026-01-01T00:00:00Z");

    object = changedAt("2026-01-01T00:00:00Z");
    assertThat(SyncCauses.first(facts())).isEmpty();
    object = changedAt("2026-01-01T00:19:50Z");
    assertThat(SyncCauses.first(facts())).as("events may be late").isEmpty();
    object = changedAt("2025-12-31T23:00:00Z");
    events = new Fact.Known<>(List.of());
    assertThat(SyncCauses.first(facts())).as("events are kept for an hour").isEmpty();
  }

  private static KubeObject changedAt(String time) {
    return OBJECT.with(managed(time), "metadata", "managedFields");
  }

  private static List<Object> managed(String time) {
    return List.of(
        Map.of(
            "manager",
            "kubectl",
            "time",
            time,
            "fieldsV1",
            Map.of("f:spec", Map.of("f:dnsNames", Map.of()))));
  }

  @Test
  void saysThatTheProvidersFilterLeavesAnObjectOut() {
    agent = new Fact.Unread<>("name the sync agent");
    published = new Fact.Unread<>("name the service cluster");
    object = untaken().with("2026-01-01T00:00:00Z", "metadata", "creationTimestamp");
    siblings =
        new Fact.Known<>(
            List.of(OBJECT.with("2026-01-01T00:00:09Z", "metadata", "creationTimestamp")));

    assertThat(finding("OutOfFilter", State.skipped).remedy().who()).isEqualTo(Who.provider);
  }

  @Test
  void quotesAConditionThatKeepsNothingFromBeingSynced() {
    published =
        known(
            published(
                SPEC,
                condition("True", "Accepted"),
                condition("RelatedResolvable", "False", "PathNotFound", "spec.nme")));

    assertThat(finding("PathNotFound", State.failed).message()).endsWith("has a problem");

    object = OBJECT.with("true", "metadata", "annotations", SyncMarks.PAUSED);
    finding("Paused", State.paused);
  }

  @Test
  void believesWhatIsPresentMoreThanAnEvent() {
    agent = new Fact.Unread<>("not asked");
    events = new Fact.Known<>(List.of(event("Warning", "ClaimRejected", "secrets")));
    assertThat(SyncCauses.first(facts())).as("the binding accepts every claim").isEmpty();

    events = new Fact.Known<>(List.of(event("Warning", "ClaimNarrowed", "secrets")));
    assertThat(SyncCauses.first(facts())).as("no claim has a selector").isEmpty();

    events = new Fact.Known<>(List.of(event("Warning", "NamingFailed", "too long")));
    finding("NamingFailed", State.refused);
    published =
        known(
            new Published(
                published(SPEC, condition("True", "Syncing"))
                    .object()
                    .with(managed("2026-01-01T00:00:09Z"), "metadata", "managedFields")));
    assertThat(SyncCauses.first(facts())).as("naming has changed since").isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "provider's cluster does not permit it: x is forbidden: exceeded quota: q, requested: a=1"
            + " | QuotaExceeded | provider | ResourceQuota q of the service cluster",
        "Your workspace does not permit it: x is forbidden: exceeded quota: q, requested: a=1"
            + " | QuotaExceeded | consumer | ResourceQuota q in namespace default of the consumer's"
            + " workspace",
        "provider's cluster does not permit it: unable to create new content in namespace a because"
            + " it is being terminated"
            + " | NamespaceTerminating | provider | Namespace a of the service cluster",
        "provider's cluster does not permit it: User \"agent\" cannot create resource \"certs\" in"
            + " | PermissionMissing | provider | ClusterRole of the sync agent of the service"
            + " cluster",
        "provider's cluster does not permit it: admission webhook \"p.example\" denied the request:"
            + " | AdmissionDenied | consumer | Certificate default/shop",
        "provider's cluster refuses what: failed calling webhook \"p.example\": timeout"
            + " | AdmissionUnavailable | provider | webhook p.example of the service cluster",
        "provider's cluster does not serve a type that syncing this object needs."
            + " | TypeNotServed | provider | CustomResourceDefinition of the service cluster",
        "provider's cluster cannot be reached at the moment."
            + " | ServiceClusterUnavailable | provider | service cluster",
        "provider's cluster refuses what: C is invalid: spec.name: Invalid value: \"<no value>\":"
            + " | MutationRefused | provider | PublishedResource certificates on the service"
            + " cluster",
        "provider's cluster refuses what: C is invalid: spec.dnsNames: Required value"
            + " | MutationRefused | provider | PublishedResource certificates on the service"
            + " cluster",
        "provider's cluster refuses what: C is invalid: spec.size: Invalid value: \"big\": too big"
            + " | ReconcilingError | consumer | Certificate default/shop"
      })
  void readsWhatAServerRefuses(String said, String reason, Who who, String changed) {
    agent = new Fact.Unread<>("not asked");
    object = OBJECT.with(Map.of("dnsNames", List.of("a"), "size", "big", "name", "shop"), "spec");
    events = new Fact.Known<>(List.of(event("Warning", "ReconcilingError", said)));

    Remedy remedy = SyncCauses.first(facts()).orElseThrow().finding().remedy();

    assertThat(SyncCauses.first(facts()).orElseThrow().finding().reason()).isEqualTo(reason);
    assertThat(remedy.who()).isEqualTo(who);
    assertThat(remedy.object()).isEqualTo(changed);
    assertThat(remedy.command()).isNotEmpty();
  }

  @Test
  void printsTheCommandsThatGrantAMissingPermission() {
    agent = new Fact.Unread<>("not asked");
    String said =
        "The service provider's cluster does not permit what syncing needs: certs.a.example is"
            + " forbidden: User \"agent\" cannot patch resource \"certs/status\" in API group"
            + " \"a.example\" in the namespace \"n\"";
    events = new Fact.Known<>(List.of(event("Warning", "ReconcilingError", said)));

    assertThat(SyncCauses.first(facts()).orElseThrow().finding().remedy().command())
        .isEqualTo(
            "kubectl create clusterrole NAME --verb=patch --resource=certs.a.example/status"
                + " && kubectl create clusterrolebinding NAME --clusterrole=NAME --user=agent");
  }

  @Test
  void namesTheRuleThatSetsARefusedField() {
    published =
        known(
            published(
                Map.of(
                    "resource",
                    SPEC.get("resource"),
                    "mutation",
                    Map.of(
                        "spec",
                        List.of(
                            Map.of("delete", Map.of("path", "spec.usages")),
                            Map.of(
                                "template", Map.of("path", "spec.name", "template", "{{ .x }}"))))),
                condition("True", "Syncing")));
    reports(
        "refused",
        "ReconcilingError",
        "C is invalid: spec.name: Invalid value: \"<no value>\": no");

    assertThat(finding("MutationRefused", State.refused).remedy().fix())
        .isEqualTo(
            "correct spec.mutation.spec[1] (template at \"spec.name\"), which sets spec.name");
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
    object = untaken();
    finding("NotTaken", State.pending);
  }

  @ParameterizedTest
  @CsvSource({
    "False, InvalidTemplate, failed, is not in force, mooring lint",
    "False, ResourceNotFound, failed, is not in force, install it",
    "False, Paused, paused, does not sync, spec.synchronization",
    "False, Disabled, paused, does not sync, spec.synchronization"
  })
  void quotesTheConditionOfThePublishedResource(
      String status, String reason, State state, String message, String fix) {
    published = known(published(SPEC, condition(status, reason)));

    Finding finding = finding(reason, state);

    assertThat(finding.message()).contains("PublishedResource certificates " + message);
    assertThat(finding.evidence()).containsExactly("Accepted " + reason + ": because");
    assertThat(finding.remedy().fix()).contains(fix);
  }

  /** It is the agent that names the export. */
  @Test
  void blamesNoPublishedResourceForTheExport() {
    published =
        known(
            published(
                SPEC,
                condition("True", "Accepted"),
                condition("Exported", "False", "EndpointSliceNotFound", "not seen")));

    assertThat(finding("EndpointSliceNotFound", State.failed).remedy().object())
        .isEqualTo("sync agent of the provider of root:a:certs");
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
  void saysWhatTheUserMayHaveMeant() {
    served = false;
    meant = Optional.of("certificate");

    Finding finding = finding("TypeNotBound", State.absent);
    assertThat(finding.message()).endsWith("did you mean certificate?");
    assertThat(finding.remedy().command()).isEqualTo("mooring why certificate shop");
  }

  @Test
  void saysThatTheCopyIsNotGone() {
    agent = new Fact.Unread<>("not asked");
    object = deleting(OBJECT, SyncMarks.FINALIZER);
    events = new Fact.Known<>(List.of(event("Normal", "ObjectCleanup", "")));

    finding("CopyTerminating", State.terminating);
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

  /** The export keeps the claim of an entry that is gone. */
  @Test
  void aClaimThatTheObjectDoesNotNeedHidesNoCause() {
    bindings = claiming();
    reports("refused", "NameCollision", "taken");
    finding("NameCollision", State.refused);

    agent = new Fact.Unread<>("not asked");
    events = new Fact.Known<>(List.of(event("Warning", "NameCollision", "taken")));
    finding("NameCollision", State.refused);
    events = new Fact.Known<>(List.of(event("Normal", "ObjectStatusSynced", "")));
    assertThat(SyncCauses.first(facts())).isEmpty();
    events =
        new Fact.Known<>(
            List.of(
                event("Normal", "ObjectInSync", ""), event("Warning", "ClaimRejected", "secrets")));
    assertThat(SyncCauses.first(facts())).isEmpty();
    events =
        new Fact.Known<>(
            List.of(
                event("Normal", "ObjectStatusSynced", ""),
                event("Warning", "ClaimRejected", "secrets")));
    finding("ClaimRejected", State.refused);
  }

  @Test
  void aConsumerReadsInItsEventsThatTheCopyIsNotPlaced() {
    agent = new Fact.Unread<>("not asked");
    copies = new Fact.Unread<>("not asked");
    events = new Fact.Known<>(List.of(event("Normal", "ObjectAccepted", "")));
    assertThat(finding("CopyMissing", State.pending).remedy().who()).isEqualTo(Who.provider);

    events =
        new Fact.Known<>(
            List.of(event("Normal", "ObjectPlaced", ""), event("Normal", "ObjectAccepted", "")));
    assertThat(SyncCauses.first(facts())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          of the workspace            | consumer | Namespace a of the consumer's workspace
          of the provider's cluster   | provider | Namespace a of the service cluster
          """)
  void namesTheNamespaceThatIsBeingDeleted(String where, Who who, String object) {
    reports("refused", "NamespaceTerminating", "Namespace \"a\" " + where + " is being deleted;");

    Remedy remedy = finding("NamespaceTerminating", State.refused).remedy();
    assertThat(remedy.who()).isEqualTo(who);
    assertThat(remedy.object()).isEqualTo(object);
    assertThat(remedy.command()).isEqualTo("kubectl get namespace a -o yaml");
  }

  @Test
  void namesThePolicyThatDeniesWhatTheProviderWrites() {
    agent = new Fact.Unread<>("not asked");
    events =
        new Fact.Known<>(
            List.of(
                event(
                    "Warning",
                    "ReconcilingError",
                    "Your workspace refuses what syncing this object needs: secrets \"a\" is"
                        + " forbidden: ValidatingAdmissionPolicy 'no-tls' with binding 'b' denied"
                        + " request: no")));

    assertThat(finding("AdmissionDenied", State.refused).remedy())
        .extracting(Remedy::who, Remedy::object)
        .containsExactly(Who.consumer, "policy or webhook no-tls of the consumer's workspace");
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
    assertThat(finding.remedy().fix()).contains("example.org/vault");
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
    assertThat(finding.remedy().fix()).contains("spec.naming", "remove it");
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
    published = new Fact.Unread<>("name the service cluster");
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

    assertThat(finding("HeldByFinalizer", State.terminating).remedy().fix())
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

    assertThat(finding("NotTaken", State.pending).remedy().command()).contains("--agent-url");
  }

  @ParameterizedTest
  @CsvSource({
    "kcp, create it in this workspace",
    "service, find out why the service cluster has not created it"
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
    assertThat(finding.remedy().fix()).isEqualTo(fix);
  }

  @Test
  void blamesAPathThatNoObjectHasForTheRelatedObjectThatItNames() {
    published =
        known(
            published(
                SPEC,
                condition("True", "Accepted"),
                condition("PathsInSchema", "False", "UnknownPath", "spec.nme")));
    agent =
        new Fact.Known<>(
            new AgentView.Answers(
                List.of(), Optional.empty(), Optional.of("tls: no object is named yet")));

    assertThat(finding("UnknownPath", State.failed).remedy().object())
        .isEqualTo("PublishedResource certificates on the service cluster");
  }

  @Test
  void quotesTheAgentAboutARelatedObjectThatItWaitsFor() {
    agent =
        new Fact.Known<>(
            new AgentView.Answers(List.of(), Optional.empty(), Optional.of("tls: not there yet")));

    assertThat(finding("RelatedMissing", State.pending).evidence())
        .containsExactly("the sync agent: tls: not there yet");
  }

  /** No cause: a name may come later. Whether a name that is rewritten exists, the agent knows. */
  @ParameterizedTest
  @ValueSource(strings = {"", ", regex: {pattern: a, replacement: b}"})
  void saysOfAnEntryThatNamesNoObjectWhereItLooked(String rewrite) {
    RelatedResource entry = entry("reference: {path: spec.secretNme" + rewrite + "}");
    related = RelatedObject.unnamed(entry, object).stream().toList();

    assertThat(related)
        .singleElement()
        .extracting(RelatedObject::object, RelatedObject::state)
        .containsExactly(
            "entry tls (origin kcp)", "names no Secret: the object has no name at spec.secretNme");
    assertThat(SyncCauses.first(facts())).isEmpty();
    assertThat(RelatedObject.unnamed(entry, object.with("a", "spec", "secretNme"))).isEmpty();
    assertThat(RelatedObject.unnamed(entry, object.with(Map.of("name", "a"), "spec", "secretNme")))
        .isPresent();
    assertThat(RelatedObject.unnamed(entry("template: {template: ca}"), object)).isEmpty();
  }

  private static RelatedResource entry(String located) {
    String spec =
        "{resource: {apiGroup: a.io, kind: A}, related: [{identifier: tls, origin: kcp, kind:"
            + " Secret, object: {%s}}]}";
    return published(Trees.mapOrEmpty(new Yaml().load(spec.formatted(located))))
        .valid()
        .orElseThrow()
        .related()
        .getFirst();
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
        meant,
        bindings,
        siblings,
        namespaceLabels,
        events,
        published,
        copies,
        related,
        agent,
        Instant.parse("2026-01-01T00:20:00Z"));
  }

  @Test
  void anEventOfTheSameSecondHidesNoWarning() {
    SeenEvent warning = event("Warning", "MutationFailed", "");

    assertThat(Stream.of(event("Normal", "ObjectAccepted", ""), warning).sorted().findFirst())
        .contains(warning);
    assertThat(Stream.of(warning, event("Normal", "ObjectInSync", "")).sorted().toList().getLast())
        .isEqualTo(warning);
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
    return condition("Accepted", status, reason, "because");
  }

  private static Object condition(String type, String status, String reason, String message) {
    return Map.of(
        "type",
        type,
        "status",
        status,
        "reason",
        reason,
        "message",
        message,
        "observedGeneration",
        1L);
  }
}
