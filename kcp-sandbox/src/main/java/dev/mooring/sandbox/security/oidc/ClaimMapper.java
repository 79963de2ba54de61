package dev.mooring.sandbox.security.oidc;

import dev.cel.common.values.NullValue;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * From the claims of a verified token to a user, as Kubernetes does (apiserver {@code
 * plugin/pkg/authenticator/token/oidc}), and in its order. Thread-safe.
 */
record ClaimMapper(JwtSettings settings) {
  private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

  /** The user, not yet in {@code system:authenticated}. */
  UserInfo userOf(Map<String, Object> claims) throws TokenRefused {
    Map<String, ?> variables = JwtExpressions.of(claims);
    String name = name(claims, variables);
    List<String> groups = groups(claims, variables);
    String uid = uid(claims, variables);
    var user = new UserInfo(name, uid, groups, extra(claims, variables));
    for (var required : settings.requiredClaims().entrySet()) {
      require(claims, required.getKey(), required.getValue());
    }
    requireAll(settings.claimRules(), variables, "error evaluating claim validation expression");
    if (!settings.userRules().isEmpty()) {
      requireAll(
          settings.userRules(),
          JwtExpressions.of(user),
          "error evaluating user info validation rule");
    }
    return user;
  }

  private String name(Map<String, Object> claims, Map<String, ?> variables) throws TokenRefused {
    return switch (settings.username()) {
      case JwtSettings.Mapping.Claim(String claim, String prefix) -> {
        String name = text(claims, claim, "parse username claims \"" + claim + "\"");
        requireVerifiedEmail(claims, claim);
        yield prefix + name;
      }
      case JwtSettings.Mapping.Expression(CelExpression expression) -> {
        String problem = "error evaluating username claim expression";
        if (!(value(expression, variables, problem) instanceof String name)) {
          throw refused(problem, "username claim expression must return a string");
        }
        if (name.isEmpty()) {
          throw new TokenRefused("oidc: empty username via CEL expression is not allowed");
        }
        yield name;
      }
      case JwtSettings.Mapping.None() -> throw new IllegalStateException("no username mapping");
    };
  }

  private static void requireVerifiedEmail(Map<String, Object> claims, String claim)
      throws TokenRefused {
    if (!claim.equals("email") || !claims.containsKey("email_verified")) {
      return;
    }
    switch (claims.get("email_verified")) {
      case Boolean verified when verified -> {}
      case Boolean _ -> throw new TokenRefused("oidc: email not verified");
      case null -> throw new TokenRefused("oidc: email not verified");
      case Object other -> throw refused("parse 'email_verified' claim", unfit(other, "bool"));
    }
  }

  /** A text counts as a list of one. */
  private List<String> groups(Map<String, Object> claims, Map<String, ?> variables)
      throws TokenRefused {
    return switch (settings.groups()) {
      case JwtSettings.Mapping.None() -> List.of();
      case JwtSettings.Mapping.Claim(String claim, String prefix) -> {
        if (!claims.containsKey(claim)) {
          yield List.of();
        }
        List<String> groups =
            claims.get(claim) == null
                ? List.of()
                : texts(claims.get(claim))
                    .orElseThrow(() ->
                        refused(
                            "parse groups claim \"" + claim + "\"",
                            unfit(claims.get(claim), "string")));
        yield groups.stream().map(group -> prefix + group).toList();
      }
      case JwtSettings.Mapping.Expression(CelExpression expression) -> {
        String problem = "error evaluating group claim expression";
        yield listed(value(expression, variables, problem), problem);
      }
    };
  }

  private String uid(Map<String, Object> claims, Map<String, ?> variables) throws TokenRefused {
    return switch (settings.uid()) {
      case JwtSettings.Mapping.None() -> "";
      case JwtSettings.Mapping.Claim(String claim, String _) ->
          text(claims, claim, "parse uid claim \"" + claim + "\"");
      case JwtSettings.Mapping.Expression(CelExpression expression) -> {
        String problem = "error evaluating uid claim expression";
        if (value(expression, variables, problem) instanceof String uid) {
          yield uid;
        }
        throw refused(problem, "uid claim expression must return a string");
      }
    };
  }

  private Map<String, List<String>> extra(Map<String, Object> claims, Map<String, ?> variables)
      throws TokenRefused {
    var extra = new LinkedHashMap<String, List<String>>();
    if (claims.get("jti") instanceof String id && !id.isEmpty()) {
      extra.put(CREDENTIAL_ID, List.of("JTI=" + id));
    }
    for (var mapping : settings.extra().entrySet()) {
      String problem = "error evaluating extra claim expression";
      List<String> values = listed(value(mapping.getValue(), variables, problem), problem);
      if (!values.isEmpty()) {
        extra.put(mapping.getKey(), values);
      }
    }
    return extra;
  }

  private static void require(Map<String, Object> claims, String claim, String value)
      throws TokenRefused {
    if (!claims.containsKey(claim)) {
      throw new TokenRefused("oidc: required claim " + claim + " not present in ID token");
    }
    String found = text(claims, claim, "parse claim " + claim);
    if (!found.equals(value)) {
      throw new TokenRefused(
          "oidc: required claim %s value does not match. Got = %s, want = %s"
              .formatted(claim, found, value));
    }
  }

  private static void requireAll(
      List<JwtSettings.Rule> rules, Map<String, ?> variables, String problem) throws TokenRefused {
    var values = new ArrayList<Object>();
    for (JwtSettings.Rule rule : rules) {
      values.add(value(rule.expression(), variables, problem));
    }
    for (int i = 0; i < rules.size(); i++) {
      if (!Boolean.TRUE.equals(values.get(i))) {
        JwtSettings.Rule rule = rules.get(i);
        throw refused(
            problem,
            "validation expression '%s' failed: %s".formatted(rule.source(), rule.message()));
      }
    }
  }

  private static Object value(CelExpression expression, Map<String, ?> variables, String problem)
      throws TokenRefused {
    try {
      return expression.evaluate(variables);
    } catch (CelExpression.EvaluationFailed failed) {
      throw refused(problem, String.valueOf(failed.getMessage()));
    }
  }

  /** A claim that has to be there, and a text. */
  private static String text(Map<String, Object> claims, String claim, String problem)
      throws TokenRefused {
    if (!claims.containsKey(claim)) {
      throw refused(problem, "claim not present");
    }
    return switch (claims.get(claim)) {
      case String text -> text;
      case null -> "";
      case Object other -> throw refused(problem, unfit(other, "string"));
    };
  }

  /** Empty texts are left out. */
  private static List<String> listed(Object value, String problem) throws TokenRefused {
    return value instanceof NullValue
        ? List.of()
        : texts(value)
            .orElseThrow(
                () -> refused(problem, "expression must return a string or a list of strings"))
            .stream()
            .filter(text -> !text.isEmpty())
            .toList();
  }

  private static Optional<List<String>> texts(@Nullable Object value) {
    return switch (value) {
      case String text -> Optional.of(List.of(text));
      case List<?> list when list.stream().allMatch(String.class::isInstance) ->
          Optional.of(list.stream().map(String.class::cast).toList());
      case null, default -> Optional.empty();
    };
  }

  private static String unfit(@Nullable Object value, String type) {
    return "json: cannot unmarshal %s into Go value of type %s"
        .formatted(GoText.jsonKind(value), type);
  }

  private static TokenRefused refused(String problem, String why) {
    return new TokenRefused("oidc: " + problem + ": " + why);
  }
}
