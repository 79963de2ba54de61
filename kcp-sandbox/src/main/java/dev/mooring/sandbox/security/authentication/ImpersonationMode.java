package dev.mooring.sandbox.security.authentication;

import dev.mooring.sandbox.api.validation.NameRules;
import java.util.List;
import java.util.Optional;

/**
 * How a user may be impersonated, in the order in which Kubernetes tries it (apiserver {@code
 * pkg/endpoints/filters/impersonation}). All but the last are constrained: the right to be the user
 * (verb {@link #verb}) counts only with the right to do the request so ({@link #verbOn}). The mode
 * of the node on which a service account's pod runs is missing: there are no pods.
 */
enum ImpersonationMode {
  NODE("arbitrary-node"),
  SERVICE_ACCOUNT("serviceaccount"),
  USER("user-info"),
  LEGACY("");

  private static final String NODE_PREFIX = "system:node:";

  private final String text;

  ImpersonationMode(String text) {
    this.text = text;
  }

  boolean covers(WantedUser wanted) {
    return switch (this) {
      case NODE -> wanted.hasOnlyAName() && node(wanted).isPresent();
      case SERVICE_ACCOUNT -> wanted.hasOnlyAName() && wanted.account().isPresent();
      case USER -> node(wanted).isEmpty() && wanted.account().isEmpty();
      case LEGACY -> true;
    };
  }

  String verb() {
    return this == LEGACY ? "impersonate" : "impersonate:" + text;
  }

  /** The verb of the request itself; empty if none is asked for. */
  Optional<String> verbOn(String verb) {
    return this == LEGACY ? Optional.empty() : Optional.of("impersonate-on:" + text + ":" + verb);
  }

  /** The API group of users, groups, nodes and service accounts. */
  String group() {
    return this == LEGACY ? "" : HeaderImpersonation.AUTHENTICATION;
  }

  /** The name of the node that the user is. */
  static Optional<String> node(WantedUser wanted) {
    return Optional.of(wanted.name())
        .filter(name -> name.startsWith(NODE_PREFIX))
        .map(name -> name.substring(NODE_PREFIX.length()))
        .filter(name -> NameRules.subdomain(name).isEmpty());
  }

  /** Groups that come with the user's name alone. */
  List<String> impliedGroups(WantedUser wanted) {
    if (this == NODE) {
      return List.of("system:nodes");
    }
    return wanted.groups().isEmpty()
        ? wanted
            .account()
            .map(account ->
                List.of("system:serviceaccounts", "system:serviceaccounts:" + account.namespace()))
            .orElseGet(List::of)
        : List.of();
  }
}
