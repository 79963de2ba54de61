package dev.mooring.sandbox.security.rbac;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.GoText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a role: what it allows. Matching is that of Kubernetes
 * (pkg/apis/rbac/v1/evaluation_helpers.go): {@code *} matches everything, {@code *}/x for the
 * subresource x of everything, a trailing {@code *} of a URL for any rest.
 */
public record PolicyRule(
    List<String> verbs,
    List<String> groups,
    List<String> resources,
    List<String> resourceNames,
    List<String> urls) {
  private static final String ALL = "*";

  public PolicyRule {
    verbs = List.copyOf(verbs);
    groups = List.copyOf(groups);
    resources = List.copyOf(resources);
    resourceNames = List.copyOf(resourceNames);
    urls = List.copyOf(urls);
  }

  /** From an element of a role's {@code rules}; what is missing or of another type is empty. */
  public static PolicyRule of(Object tree) {
    return new PolicyRule(
        Trees.texts(Trees.at(tree, "verbs")),
        Trees.texts(Trees.at(tree, "apiGroups")),
        Trees.texts(Trees.at(tree, "resources")),
        Trees.texts(Trees.at(tree, "resourceNames")),
        Trees.texts(Trees.at(tree, "nonResourceURLs")));
  }

  /** From a role's {@code rules}. */
  public static List<PolicyRule> listOf(@Nullable Object trees) {
    return Trees.listOrEmpty(trees).stream().map(PolicyRule::of).toList();
  }

  public boolean allows(String verb, AuthorizationAttributes.Target target) {
    return switch (target) {
      case AuthorizationAttributes.Resource resource ->
          matches(verbs, verb)
              && matches(groups, resource.group())
              && matchesResource(resource)
              && (resourceNames.isEmpty() || resourceNames.contains(resource.name()));
      case AuthorizationAttributes.Url url ->
          matches(verbs, verb) && urls.stream().anyMatch(pattern -> urlCovers(pattern, url.path()));
    };
  }

  private boolean matchesResource(AuthorizationAttributes.Resource request) {
    return resources.contains(ALL)
        || resources.contains(request.combined())
        || (!request.subresource().isEmpty() && resources.contains("*/" + request.subresource()));
  }

  private static boolean matches(List<String> allowed, String wanted) {
    return allowed.contains(ALL) || allowed.contains(wanted);
  }

  private static boolean urlCovers(String pattern, String path) {
    return pattern.equals(ALL)
        || pattern.equals(path)
        || (pattern.endsWith(ALL) && path.startsWith(pattern.replaceAll("\\*+$", "")));
  }

  /** The rules of one verb, one resource or URL and at most one name that make up this one. */
  List<PolicyRule> atoms() {
    var atoms = new ArrayList<PolicyRule>();
    List<List<String>> names =
        resourceNames.isEmpty()
            ? List.of(List.of())
            : resourceNames.stream().map(List::of).toList();
    for (String group : groups) {
      for (String resource : resources) {
        for (String verb : verbs) {
          for (List<String> name : names) {
            atoms.add(
                new PolicyRule(List.of(verb), List.of(group), List.of(resource), name, List.of()));
          }
        }
      }
    }
    for (String url : urls) {
      for (String verb : verbs) {
        atoms.add(new PolicyRule(List.of(verb), List.of(), List.of(), List.of(), List.of(url)));
      }
    }
    return atoms;
  }

  /** Whether this rule alone allows everything that an atom allows. */
  boolean covers(PolicyRule atom) {
    boolean verbCovered = verbs.contains(ALL) || verbs.containsAll(atom.verbs());
    if (!atom.urls.isEmpty()) {
      return verbCovered
          && atom.urls.stream()
              .allMatch(path -> urls.stream().anyMatch(pattern -> urlCovers(pattern, path)));
    }
    return verbCovered
        && (groups.contains(ALL) || groups.containsAll(atom.groups))
        && atom.resources.stream().allMatch(this::coversResource)
        && (resourceNames.isEmpty()
            || (!atom.resourceNames.isEmpty() && resourceNames.containsAll(atom.resourceNames)));
  }

  private boolean coversResource(String resource) {
    int slash = resource.indexOf('/');
    return resources.contains(ALL)
        || resources.contains(resource)
        || (slash >= 0 && resources.contains("*" + resource.substring(slash)));
  }

  /** As Kubernetes prints a rule in escalation errors: {@code {APIGroups:["a"], Verbs:["get"]}}. */
  public String compact() {
    var parts = new ArrayList<String>();
    addPart(parts, "APIGroups", groups);
    addPart(parts, "Resources", resources);
    addPart(parts, "NonResourceURLs", urls);
    addPart(parts, "ResourceNames", resourceNames);
    addPart(parts, "Verbs", verbs);
    return "{" + String.join(", ", parts) + "}";
  }

  private static void addPart(List<String> parts, String label, List<String> values) {
    if (!values.isEmpty()) {
      parts.add(label + ":" + GoText.quoted(values));
    }
  }
}
