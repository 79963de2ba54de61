package dev.mooring.syncagent.sync.decide;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Scope;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Where a new copy goes. */
public sealed interface CopyName {
  int NAMESPACE_MAX = 63;
  int NAME_MAX = 253;

  /** A usable place; the namespace of a cluster-scoped copy is empty. */
  record At(String namespace, String name) implements CopyName {
    @Override
    public String toString() {
      return namespace.isEmpty() ? name : namespace + "/" + name;
    }
  }

  /** Naming gives no usable name; the message says which part and why. */
  record Nowhere(String message) implements CopyName {}

  static CopyName of(
      SyncRules rules, KubeObject source, LogicalCluster cluster, Optional<String> path) {
    try {
      String name = rules.naming().name().render(source, cluster, path);
      if (!Names.isSubdomain(name)) {
        return new Nowhere(
            "naming.name gives \"" + Names.cut(name) + "\", which is not a valid name");
      }
      if (rules.copy().scope() == Scope.CLUSTER) {
        return new At("", name);
      }
      String namespace = rules.naming().namespace().render(source, cluster, path);
      if (!Names.isLabel(namespace)) {
        return new Nowhere(
            "naming.namespace gives \""
                + Names.cut(namespace)
                + "\", which is not a valid namespace name");
      }
      return new At(namespace, name);
    } catch (TemplateFailure e) {
      return new Nowhere("naming cannot be rendered: " + e.getMessage());
    }
  }

  /** Kubernetes' rules for names (RFC 1123). */
  final class Names {
    private static final Predicate<String> LABEL =
        Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?").asMatchPredicate();
    // Names of custom resources are subdomains; RBAC objects also allow colons, which is left to
    // the server to judge.
    private static final Predicate<String> SUBDOMAIN =
        Pattern.compile("[a-z0-9]([a-z0-9.:-]*[a-z0-9])?").asMatchPredicate();

    private Names() {}

    static boolean isLabel(String text) {
      return text.length() <= NAMESPACE_MAX && LABEL.test(text);
    }

    static boolean isSubdomain(String text) {
      return text.length() <= NAME_MAX && SUBDOMAIN.test(text);
    }

    static String cut(String text) {
      return text.length() <= NAME_MAX ? text : text.substring(0, NAME_MAX) + "...";
    }
  }
}
