package dev.mooring.sandbox.cel.library;

import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.cel.library.UserPermissions.GroupCheck;
import dev.mooring.sandbox.cel.library.UserPermissions.PathCheck;
import dev.mooring.sandbox.cel.library.UserPermissions.ResourceCheck;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;

/** What can be asked of {@code authorizer}. Selectors are accepted; RBAC has no use for them. */
final class AuthorizerFunctions {
  static final List<Overload> ALL =
      List.of(
          Overload.binary(
              "(Authorizer) path(string) PathCheck",
              (UserPermissions authorizer, String path) ->
                  new PathCheck(authorizer, required(path, "path"))),
          Overload.binary("(Authorizer) group(string) GroupCheck", GroupCheck::new),
          Overload.ternary(
              "(Authorizer) serviceAccount(string, string) Authorizer",
              AuthorizerFunctions::serviceAccount),
          Overload.binary(
              "(GroupCheck) resource(string) ResourceCheck", AuthorizerFunctions::resource),
          Overload.binary(
              "(ResourceCheck) subresource(string) ResourceCheck", ResourceCheck::withSubresource),
          Overload.binary(
              "(ResourceCheck) namespace(string) ResourceCheck", ResourceCheck::withNamespace),
          Overload.binary("(ResourceCheck) name(string) ResourceCheck", ResourceCheck::withName),
          Overload.binary(
              "(ResourceCheck) fieldSelector(string) ResourceCheck", (check, _) -> check),
          Overload.binary(
              "(ResourceCheck) labelSelector(string) ResourceCheck", (check, _) -> check),
          Overload.binary("(PathCheck) check(string) Decision", PathCheck::check),
          Overload.binary("(ResourceCheck) check(string) Decision", ResourceCheck::check),
          Overload.unary("(Decision) allowed() bool", Decision::allowed),
          Overload.unary(
              "(Decision) reason() string",
              (Decision decision) -> decision.allowed() ? "" : decision.reason()),
          Overload.unary("(Decision) errored() bool", _ -> false),
          Overload.unary("(Decision) error() string", _ -> ""));

  private AuthorizerFunctions() {}

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
