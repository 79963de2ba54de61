package dev.mooring.sandbox.admission.match;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import java.util.List;

/**
 * Which writes a webhook or policy wants to see: an element of its rules. Matching is that of
 * Kubernetes (apiserver/pkg/admission/plugin/webhook/predicates/rules).
 *
 * @param resources {@code pods}, {@code pods/status}, {@code *}, {@code pods/*}, {@code *}/status
 * @param names of objects; empty for all
 * @param scope {@code *}, {@code Namespaced} or {@code Cluster}
 */
public record AdmissionRule(
    List<String> operations,
    List<String> groups,
    List<String> versions,
    List<String> resources,
    List<String> names,
    String scope) {
  private static final String ALL = "*";
  private static final String NAMESPACES = "namespaces";

  public AdmissionRule {
    operations = List.copyOf(operations);
    groups = List.copyOf(groups);
    versions = List.copyOf(versions);
    resources = List.copyOf(resources);
    names = List.copyOf(names);
  }

  public static AdmissionRule of(Object tree) {
    String scope = Trees.text(tree, "scope");
    return new AdmissionRule(
        Trees.texts(Trees.at(tree, "operations")),
        Trees.texts(Trees.at(tree, "apiGroups")),
        Trees.texts(Trees.at(tree, "apiVersions")),
        Trees.texts(Trees.at(tree, "resources")),
        Trees.texts(Trees.at(tree, "resourceNames")),
        scope.isEmpty() ? ALL : scope);
  }

  /**
   * @param subresource empty if none
   * @param namespace empty if none
   */
  boolean matches(Operation operation, ResourceType type, String subresource, String namespace) {
    return matchesVersion(type.version())
        && matchesAnyVersion(operation, type, subresource, namespace);
  }

  public boolean matchesName(String name) {
    return names.isEmpty() || names.contains(name);
  }

  public boolean matchesVersion(String version) {
    return has(versions, version);
  }

  public boolean matchesAnyVersion(
      Operation operation, ResourceType type, String subresource, String namespace) {
    return has(operations, operation.name())
        && has(groups, type.group())
        && matchesScope(type, namespace)
        && resources.stream().anyMatch(pattern -> matches(pattern, type.resource(), subresource));
  }

  /** A Namespace object carries its own name as namespace, and yet is cluster-scoped. */
  private boolean matchesScope(ResourceType type, String namespace) {
    boolean clusterScoped =
        namespace.isEmpty() || (type.group().isEmpty() && type.resource().equals(NAMESPACES));
    return switch (scope) {
      case ALL -> true;
      case "Namespaced" -> !clusterScoped;
      case "Cluster" -> clusterScoped;
      default -> false;
    };
  }

  private static boolean matches(String pattern, String resource, String subresource) {
    int slash = pattern.indexOf('/');
    String wantedResource = slash < 0 ? pattern : pattern.substring(0, slash);
    String wantedSubresource = slash < 0 ? "" : pattern.substring(slash + 1);
    return (wantedResource.equals(ALL) || wantedResource.equals(resource))
        && (wantedSubresource.equals(ALL) || wantedSubresource.equals(subresource));
  }

  private static boolean has(List<String> allowed, String wanted) {
    return allowed.contains(ALL) || allowed.contains(wanted);
  }
}
