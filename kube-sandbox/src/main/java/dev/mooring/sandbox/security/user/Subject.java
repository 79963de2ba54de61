package dev.mooring.sandbox.security.user;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whom a binding grants a role: a user name or a group. Service accounts are users by name. */
public sealed interface Subject {
  String SERVICE_ACCOUNT_PREFIX = "system:serviceaccount:";

  record User(String name) implements Subject {}

  record Group(String name) implements Subject {}

  /**
   * A service account without a namespace is of the binding's; in a ClusterRoleBinding it matches
   * no user.
   */
  static List<Subject> of(KubeObject binding) {
    return binding.list("subjects").stream()
        .flatMap(subject -> of(subject, binding.namespace()).stream())
        .toList();
  }

  private static Optional<Subject> of(Object tree, String bindingNamespace) {
    String name = Trees.text(tree, "name");
    return switch (Trees.text(tree, "kind")) {
      case "User" -> Optional.of(new User(name));
      case "Group" -> Optional.of(new Group(name));
      case "ServiceAccount" -> {
        String own = Trees.text(tree, "namespace");
        String namespace = own.isEmpty() ? bindingNamespace : own;
        yield namespace.isEmpty()
            ? Optional.empty()
            : Optional.of(new User(SERVICE_ACCOUNT_PREFIX + namespace + ":" + name));
      }
      default -> Optional.empty();
    };
  }

  /** All that a binding may call the user. */
  static List<Subject> namesOf(UserInfo user) {
    var names = new ArrayList<Subject>();
    names.add(new User(user.name()));
    user.groups().forEach(group -> names.add(new Group(group)));
    return names;
  }
}
