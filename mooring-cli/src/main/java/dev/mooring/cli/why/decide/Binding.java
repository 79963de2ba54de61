package dev.mooring.cli.why.decide;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An APIBinding of the consumer's workspace. */
public record Binding(KubeObject object) {
  private static final GroupResource EVENTS = new GroupResource("", "events");

  public String name() {
    return object.name();
  }

  /** Path of the provider's workspace; empty for the consumer's own. */
  public String provider() {
    return object.text("spec", "reference", "export", "path");
  }

  public String export() {
    return object.text("spec", "reference", "export", "name");
  }

  public boolean isBound() {
    return object.text("status", "phase").equals("Bound");
  }

  public boolean serves(GroupResource type) {
    return bound(type).isPresent();
  }

  /**
   * Whether a sync agent made the schema of the type: by its name, and since an agent always claims
   * Events.
   */
  boolean isSynced(GroupResource type) {
    return bound(type)
            .map(each -> Trees.text(each, "schema", "name"))
            .filter(name -> name.matches("v[0-9a-f]{8}\\..*"))
            .isPresent()
        && claims("status", "exportPermissionClaims").anyMatch(claim -> type(claim).equals(EVENTS));
  }

  /** Whether the binding accepts a claim for objects with some labels only. */
  boolean isNarrowed() {
    return claims("spec", "permissionClaims")
        .anyMatch(claim ->
            !Boolean.TRUE.equals(Trees.at(claim, "selector", "matchAll"))
                && !Trees.map(claim, "selector").isEmpty());
  }

  /** As messages name it: path and name. */
  public String exportTitle() {
    return provider().isEmpty() ? export() : provider() + ":" + export();
  }

  /** Types that the export claims, and this binding does not accept. */
  public List<GroupResource> unaccepted() {
    return claims("status", "exportPermissionClaims")
        .filter(claim ->
            claims("spec", "permissionClaims")
                .noneMatch(answer ->
                    type(answer).equals(type(claim))
                        && "Accepted".equals(Trees.at(answer, "state"))))
        .map(Binding::type)
        .distinct()
        .toList();
  }

  /** The first condition that does not hold; empty if all do. */
  public Optional<String> problem() {
    return object.list("status", "conditions").stream()
        .filter(condition -> !"True".equals(Trees.at(condition, "status")))
        .map(condition ->
            "APIBinding %s: %s is %s, %s: %s"
                .formatted(
                    name(),
                    Trees.text(condition, "type"),
                    Trees.text(condition, "status"),
                    Trees.text(condition, "reason"),
                    Trees.text(condition, "message")))
        .findFirst();
  }

  /** The types that it serves. */
  public List<GroupResource> resources() {
    return object.list("status", "boundResources").stream().map(Binding::type).toList();
  }

  private Optional<Object> bound(GroupResource type) {
    return object.list("status", "boundResources").stream()
        .filter(each -> type(each).equals(type))
        .findFirst();
  }

  private Stream<Object> claims(String... path) {
    return object.list(path).stream().filter(each -> !Trees.text(each, "resource").isEmpty());
  }

  private static GroupResource type(Object entry) {
    return new GroupResource(Trees.text(entry, "group"), Trees.text(entry, "resource"));
  }
}
