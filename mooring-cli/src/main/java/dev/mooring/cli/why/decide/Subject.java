package dev.mooring.cli.why.decide;

import dev.mooring.cli.why.decide.Remedy.Who;

/** What may have to change so that an object is synced. */
enum Subject {
  OBJECT,
  BINDING,
  PUBLISHED,
  SERVICE_CLUSTER,
  AGENT;

  Remedy remedy(SyncFacts facts, String fix) {
    return switch (this) {
      case OBJECT ->
          new Remedy(Who.consumer, facts.title(), fix, "kubectl edit " + facts.kubectlName());
      case BINDING -> {
        String binding = facts.binding().map(Binding::name).orElse("");
        yield new Remedy(
            Who.consumer,
            ("APIBinding " + binding).strip(),
            fix,
            ("kubectl edit apibinding " + binding).strip());
      }
      case PUBLISHED ->
          facts
              .publication()
              .map(published ->
                  new Remedy(
                      Who.provider,
                      "PublishedResource %s on the service cluster".formatted(published.name()),
                      fix,
                      "kubectl edit publishedresource " + published.name()))
              .orElseGet(() -> providers(facts, "PublishedResource", fix));
      case SERVICE_CLUSTER -> providers(facts, "service cluster", fix);
      case AGENT -> providers(facts, "sync agent", fix);
    };
  }

  /** The command shows more than was read. */
  static Remedy providers(SyncFacts facts, String what, String fix) {
    return new Remedy(
        Who.provider,
        "%s of the provider%s"
            .formatted(what, facts.binding().map(each -> " of " + each.exportTitle()).orElse("")),
        fix,
        facts.published().value().isEmpty()
            ? facts.asProvider()
            : "mooring status --service-kubeconfig FILE --agent-url URL");
  }
}
