package dev.mooring.sandbox.cel.library;

import dev.cel.common.types.SimpleType;
import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.cel.library.UserPermissions.GroupCheck;
import dev.mooring.sandbox.cel.library.UserPermissions.PathCheck;
import dev.mooring.sandbox.cel.library.UserPermissions.ResourceCheck;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import java.util.function.BiFunction;

/** What can be asked of {@code authorizer}. Selectors are accepted; RBAC has no use for them. */
final class AuthorizerFunctions {
  static final Kind<UserPermissions> AUTHORIZER = kind("Authorizer", UserPermissions.class);
  static final Kind<ResourceCheck> RESOURCE = kind("ResourceCheck", ResourceCheck.class);
  private static final Kind<PathCheck> PATH = kind("PathCheck", PathCheck.class);
  private static final Kind<GroupCheck> GROUP = kind("GroupCheck", GroupCheck.class);
  private static final Kind<Decision> DECISION = kind("Decision", Decision.class);

  static final List<Overload> ALL =
      List.of(
          Overload.member(
              "path",
              "authorizer_path",
              AUTHORIZER,
              Kind.STRING,
              PATH.type(),
              (authorizer, path) -> new PathCheck(authorizer, required(path, "path"))),
          Overload.member(
              "group", "authorizer_group", AUTHORIZER, Kind.STRING, GROUP.type(), GroupCheck::new),
          Overload.memberOf(
              "serviceAccount",
              "authorizer_serviceaccount",
              List.of(AUTHORIZER, Kind.STRING, Kind.STRING),
              AUTHORIZER.type(),
              arguments ->
                  serviceAccount(
                      (UserPermissions) arguments[0],
                      (String) arguments[1],
                      (String) arguments[2])),
          Overload.member(
              "resource",
              "groupcheck_resource",
              GROUP,
              Kind.STRING,
              RESOURCE.type(),
              AuthorizerFunctions::resource),
          narrowed("subresource", "resourcecheck_subresource", ResourceCheck::withSubresource),
          narrowed("namespace", "resourcecheck_namespace", ResourceCheck::withNamespace),
          narrowed("name", "resourcecheck_name", ResourceCheck::withName),
          narrowed("fieldSelector", "authorizer_fieldselector", (check, selector) -> check),
          narrowed("labelSelector", "authorizer_labelselector", (check, selector) -> check),
          Overload.member(
              "check", "pathcheck_check", PATH, Kind.STRING, DECISION.type(), PathCheck::check),
          Overload.member(
              "check",
              "resourcecheck_check",
              RESOURCE,
              Kind.STRING,
              DECISION.type(),
              ResourceCheck::check),
          Overload.member(
              "allowed", "decision_allowed", DECISION, SimpleType.BOOL, Decision::allowed),
          Overload.member(
              "reason",
              "decision_reason",
              DECISION,
              SimpleType.STRING,
              decision -> decision.allowed() ? "" : decision.reason()),
          Overload.member(
              "errored", "decision_errored", DECISION, SimpleType.BOOL, decision -> false),
          Overload.member("error", "decision_error", DECISION, SimpleType.STRING, decision -> ""));

  private AuthorizerFunctions() {}

  private static <T> Kind<T> kind(String name, Class<T> carrier) {
    return Kind.opaque("kubernetes.authorization." + name, carrier);
  }

  private static Overload narrowed(
      String function, String id, BiFunction<ResourceCheck, String, ResourceCheck> narrow) {
    return Overload.member(function, id, RESOURCE, Kind.STRING, RESOURCE.type(), narrow::apply);
  }

  private static String required(String text, String what) {
    if (text.isBlank()) {
      throw new FunctionError(what + " must not be empty");
    }
    return text;
  }

  private static ResourceCheck resource(GroupCheck check, String resource) {
    return new ResourceCheck(
        check.permissions(),
        new AuthorizationAttributes.Resource(
            check.group(), "*", required(resource, "resource"), "", "", ""));
  }

  private static UserPermissions serviceAccount(
      UserPermissions permissions, String namespace, String name) {
    if (!NameRules.subdomain(name).isEmpty()) {
      throw new FunctionError("Invalid service account name");
    }
    if (!NameRules.label(namespace).isEmpty()) {
      throw new FunctionError("Invalid service account namespace");
    }
    return new UserPermissions(
        UserInfo.of(
            "system:serviceaccount:" + namespace + ":" + name,
            "system:serviceaccounts",
            "system:serviceaccounts:" + namespace,
            UserInfo.AUTHENTICATED),
        permissions.authorizer());
  }
}
