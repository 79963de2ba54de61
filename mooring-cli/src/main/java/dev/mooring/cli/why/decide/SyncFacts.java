package dev.mooring.cli.why.decide;

import dev.mooring.cli.live.ServedType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.SyncMarks;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of one object of a consumer, and of its copy.
 *
 * @param asked type and name as the user typed them
 * @param workspace of the consumer
 * @param type empty if the workspace does not serve it
 * @param object empty if it does not exist
 * @param meant the type, or the object, that the user may have meant; empty if both exist
 * @param siblings objects of the type in the object's workspace
 * @param namespaceLabels of the object's Namespace
 * @param events about the object, the latest first
 * @param published the PublishedResources of the type
 * @param copies of the object, on the service cluster
 * @param now on the caller's clock
 */
public record SyncFacts(
    String asked,
    String workspace,
    Optional<ServedType> type,
    Optional<KubeObject> object,
    Optional<String> meant,
    Fact<List<Binding>> bindings,
    Fact<List<KubeObject>> siblings,
    Fact<Map<String, String>> namespaceLabels,
    Fact<List<SeenEvent>> events,
    Fact<List<Published>> published,
    Fact<List<KubeObject>> copies,
    List<RelatedObject> related,
    Fact<AgentView> agent,
    Instant now) {

  /** Kind, namespace and name. */
  public String title() {
    return type.isPresent() && object.isPresent() ? type.get().named(object.get()) : asked;
  }

  /** The one that serves the type. */
  public Optional<Binding> binding() {
    return type.flatMap(served ->
        bindings.value().orElse(List.of()).stream()
            .filter(binding -> binding.serves(served.groupResource()))
            .findFirst());
  }

  /** As the user types it to kubectl. */
  String kubectlName() {
    return type.flatMap(served -> object.map(served::kubectlName)).orElse(asked);
  }

  /** What the provider types to see its own part. */
  String asProvider() {
    return "mooring why %s --workspace %s --service-kubeconfig FILE --agent-url URL"
        .formatted(kubectlName(), workspace.replaceFirst("^workspace ", ""));
  }

  /** Whether anything shows that a sync agent syncs objects of the type. */
  boolean isSyncedType() {
    return isTaken()
        || publication().isPresent()
        || !agentEvents().isEmpty()
        || binding().filter(found -> found.isSynced(type.orElseThrow().groupResource())).isPresent()
        || siblings.value().orElse(List.of()).stream()
            .anyMatch(each -> each.hasFinalizer(SyncMarks.FINALIZER));
  }

  /** When a client last changed spec; empty if that is not recorded. */
  Optional<Instant> changed() {
    return object.flatMap(SyncFacts::changed);
  }

  static Optional<Instant> changed(KubeObject object) {
    return object.list("metadata", "managedFields").stream()
        .filter(entry -> Trees.text(entry, "subresource").isEmpty())
        .filter(entry -> Trees.at(entry, "fieldsV1", "f:spec") != null)
        .flatMap(entry -> SeenEvent.instant(Trees.text(entry, "time")).stream())
        .max(Comparator.naturalOrder());
  }

  List<SeenEvent> agentEvents() {
    return events.value().orElse(List.of()).stream().filter(SeenEvent::isFromAgent).toList();
  }

  /** Whether a sync agent has taken it. */
  boolean isTaken() {
    return object.filter(each -> each.hasFinalizer(SyncMarks.FINALIZER)).isPresent();
  }

  Optional<AgentView.Answers> agentAnswer() {
    return agent
        .value()
        .flatMap(view ->
            view instanceof AgentView.Answers answers ? Optional.of(answers) : Optional.empty());
  }

  /** Empty also if none is known. */
  Optional<Published> publication() {
    return published.value().flatMap(all -> all.stream().findFirst());
  }
}
