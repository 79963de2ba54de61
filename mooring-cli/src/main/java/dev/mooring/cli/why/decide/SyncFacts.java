package dev.mooring.cli.why.decide;

import dev.mooring.cli.live.ServedType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
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
 * @param namespaceLabels of the object's Namespace
 * @param events about the object, the latest first
 * @param published the PublishedResources of the type
 * @param copies of the object, on the service cluster
 */
public record SyncFacts(
    String asked,
    String workspace,
    Optional<ServedType> type,
    Optional<KubeObject> object,
    Fact<List<Binding>> bindings,
    Fact<Map<String, String>> namespaceLabels,
    Fact<List<SeenEvent>> events,
    Fact<List<Published>> published,
    Fact<List<KubeObject>> copies,
    List<RelatedObject> related,
    Fact<AgentView> agent) {

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
