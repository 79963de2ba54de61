package dev.mooring.sandbox.security.oidc;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import dev.mooring.sandbox.security.oidc.JwtSettings.Mapping;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code jwt} entries with the rules and messages of Kubernetes (apiserver {@code
 * pkg/apis/apiserver/validation}). One reader for each list; not thread-safe.
 */
final class JwtSettingsReader {
  private static final int ISSUERS_MAX = 64;
  private static final String MATCH_ANY = "MatchAny";
  private static final String BOTH = "claim and expression can't both be set";
  private static final String NEITHER = "claim or expression is required";
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

  private static final Set<String> ENTRY =
      Set.of("issuer", "claimMappings", "claimValidationRules", "userValidationRules");
  private static final Set<String> ISSUER =
      Set.of("url", "discoveryURL", "certificateAuthority", "audiences", "audienceMatchPolicy");
  private static final Set<String> MAPPINGS = Set.of("username", "groups", "uid", "extra");
  private static final Set<String> PREFIXED = Set.of("claim", "prefix", "expression");
  private static final Set<String> UID = Set.of("claim", "expression");
  private static final Set<String> EXTRA = Set.of("key", "valueExpression");
  private static final Set<String> CLAIM_RULE =
      Set.of("claim", "requiredValue", "expression", "message");
  private static final Set<String> USER_RULE = Set.of("expression", "message");

  private final Set<String> disallowedIssuers;
  private final FieldErrors errors = new FieldErrors();

  /**
   * @param disallowedIssuers URLs that no entry may have
   */
  JwtSettingsReader(Set<String> disallowedIssuers) {
    this.disallowedIssuers = disallowedIssuers;
  }

  /**
   * All entries.
   *
   * @param field of the list, such as {@code spec.jwt}
   * @throws IllegalArgumentException that names all that is wrong
   */
  List<JwtSettings> read(List<Object> entries, String field) {
    var settings = new ArrayList<JwtSettings>();
    if (entries.size() > ISSUERS_MAX) {
      errors.add(FieldError.tooMany(field, entries.size(), ISSUERS_MAX));
    } else {
      var issuers = new HashSet<String>();
      var discoveries = new HashSet<String>();
      for (int i = 0; i < entries.size(); i++) {
        String here = field + "[" + i + "]";
        settings.add(entry(Trees.mapOrEmpty(entries.get(i)), here));
        JwtSettings.Issuer issuer = settings.getLast().issuer();
        distinct(issuers, issuer.url(), here + ".issuer.url");
        if (!issuer.discoveryUrl().isEmpty()) {
          distinct(discoveries, issuer.discoveryUrl(), here + ".issuer.discoveryURL");
        }
      }
    }
    if (!errors.isEmpty()) {
      String all = String.join(", ", errors.stream().map(FieldError::toString).toList());
      throw new IllegalArgumentException(errors.size() == 1 ? all : "[" + all + "]");
    }
    return List.copyOf(settings);
  }

  private void distinct(Set<String> seen, String value, String field) {
    if (!seen.add(value)) {
      errors.duplicate(field, value);
    }
  }

  /** A rule that is misspelled must not be one that is missing. */
  private void requireKnown(@Nullable Object tree, String field, Set<String> names) {
    for (String name : Trees.mapOrEmpty(tree).keySet()) {
      if (!names.contains(name)) {
        errors.forbidden(field + "." + name, "unknown field");
      }
    }
  }

  private JwtSettings entry(Map<String, Object> tree, String field) {
    requireKnown(tree, field, ENTRY);
    JwtSettings.Issuer issuer = issuer(Trees.map(tree, "issuer"), field + ".issuer");
    var required = new LinkedHashMap<String, String>();
    List<JwtSettings.Rule> claimRules =
        claimRules(
            Trees.list(tree, "claimValidationRules"), field + ".claimValidationRules", required);
    String mappingsField = field + ".claimMappings";
    Map<String, Object> mappings = Trees.map(tree, "claimMappings");
    requireKnown(mappings, mappingsField, MAPPINGS);
    Mapping username = prefixed(mappings.get("username"), mappingsField + ".username");
    if (username instanceof Mapping.None && !isFilled(mappings.get("username"))) {
      errors.required(mappingsField + ".username", NEITHER);
    }
    Mapping groups = prefixed(mappings.get("groups"), mappingsField + ".groups");
    Mapping uid = uid(mappings.get("uid"), mappingsField + ".uid");
    Map<String, CelExpression> extra =
        extra(Trees.list(mappings, "extra"), mappingsField + ".extra");
    requireEmailCheck(username, extra, claimRules, mappingsField);
    List<JwtSettings.Rule> userRules =
        userRules(Trees.list(tree, "userValidationRules"), field + ".userValidationRules");
    return new JwtSettings(issuer, username, groups, uid, extra, required, claimRules, userRules);
  }

  private JwtSettings.Issuer issuer(Map<String, Object> tree, String field) {
    requireKnown(tree, field, ISSUER);
    String url = Trees.text(tree, "url");
    String discovery = Trees.text(tree, "discoveryURL");
    if (url.isEmpty()) {
      errors.required(field + ".url", "");
    } else {
      if (disallowedIssuers.contains(url)) {
        errors.invalid(
            field + ".url",
            url,
            "URL must not overlap with disallowed issuers: " + disallowedIssuers);
      }
      url(url, field + ".url");
    }
    if (!discovery.isEmpty()) {
      if (withoutSlashes(url).equals(withoutSlashes(discovery))) {
        errors.invalid(
            field + ".discoveryURL", discovery, "discoveryURL must be different from URL");
      }
      url(discovery, field + ".discoveryURL");
    }
    List<String> audiences = Trees.texts(tree.get("audiences"));
    audiences(audiences, Trees.text(tree, "audienceMatchPolicy"), field);
    String authority = Trees.text(tree, "certificateAuthority");
    if (!authority.isEmpty()) {
      try {
        TrustedAuthorities.context(authority);
      } catch (IllegalArgumentException e) {
        errors.invalid(
            field + ".certificateAuthority", "<omitted>", String.valueOf(e.getMessage()));
      }
    }
    return new JwtSettings.Issuer(url, discovery, authority, audiences);
  }

  private static String withoutSlashes(String url) {
    return url.replaceAll("/+$", "");
  }

  private void url(String text, String field) {
    try {
      URI url = new URI(text);
      if (!"https".equals(url.getScheme())) {
        errors.invalid(field, text, "URL scheme must be https");
      }
      if (url.getRawUserInfo() != null) {
        errors.invalid(field, text, "URL must not contain a username or password");
      }
      if (url.getRawQuery() != null && !url.getRawQuery().isEmpty()) {
        errors.invalid(field, text, "URL must not contain a query");
      }
      if (url.getRawFragment() != null && !url.getRawFragment().isEmpty()) {
        errors.invalid(field, text, "URL must not contain a fragment");
      }
    } catch (URISyntaxException e) {
      errors.invalid(field, text, String.valueOf(e.getMessage()));
    }
  }

  private void audiences(List<String> audiences, String policy, String field) {
    if (audiences.isEmpty()) {
      errors.required(field + ".audiences", "at least one " + field + ".audiences is required");
      return;
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < audiences.size(); i++) {
      String here = field + ".audiences[" + i + "]";
      if (audiences.get(i).isEmpty()) {
        errors.required(here, "");
      }
      distinct(seen, audiences.get(i), here);
    }
    boolean fits = policy.equals(MATCH_ANY) || (policy.isEmpty() && audiences.size() == 1);
    if (!fits) {
      errors.invalid(
          field + ".audienceMatchPolicy",
          policy,
          audiences.size() > 1
              ? "audienceMatchPolicy must be MatchAny for multiple audiences"
              : "audienceMatchPolicy must be empty or MatchAny for single audience");
    }
  }

  /**
   * @param required gets the rules that name a claim and its value
   */
  private List<JwtSettings.Rule> claimRules(
      List<Object> trees, String field, Map<String, String> required) {
    var rules = new ArrayList<JwtSettings.Rule>();
    var seen = new HashSet<String>();
    for (int i = 0; i < trees.size(); i++) {
      String here = field + "[" + i + "]";
      Object tree = trees.get(i);
      requireKnown(tree, here, CLAIM_RULE);
      String claim = Trees.text(tree, "claim");
      String expression = Trees.text(tree, "expression");
      String message = Trees.text(tree, "message");
      String value = Trees.text(tree, "requiredValue");
      if (!claim.isEmpty() && !expression.isEmpty()) {
        errors.invalid(here, claim, BOTH);
      } else if (!claim.isEmpty()) {
        if (!message.isEmpty()) {
          errors.invalid(here + ".message", message, "may not be specified when claim is set");
        }
        if (required.put(claim, value) != null) {
          errors.duplicate(here + ".claim", claim);
        }
      } else if (expression.isEmpty()) {
        errors.required(here, NEITHER);
      } else {
        if (!value.isEmpty()) {
          errors.invalid(
              here + ".requiredValue", value, "may not be specified when expression is set");
        }
        rule(expression, message, JwtExpressions.CLAIMS, here, seen).ifPresent(rules::add);
      }
    }
    return rules;
  }

  private List<JwtSettings.Rule> userRules(List<Object> trees, String field) {
    var rules = new ArrayList<JwtSettings.Rule>();
    var seen = new HashSet<String>();
    for (int i = 0; i < trees.size(); i++) {
      String here = field + "[" + i + "]";
      requireKnown(trees.get(i), here, USER_RULE);
      String expression = Trees.text(trees.get(i), "expression");
      if (expression.isEmpty()) {
        errors.required(here + ".expression", "");
      } else {
        rule(expression, Trees.text(trees.get(i), "message"), JwtExpressions.USER, here, seen)
            .ifPresent(rules::add);
      }
    }
    return rules;
  }

  private Optional<JwtSettings.Rule> rule(
      String source, String message, CelEnvironment environment, String field, Set<String> seen) {
    if (!seen.add(source)) {
      errors.duplicate(field + ".expression", source);
      return Optional.empty();
    }
    return compiled(source, environment, CelExpression.Result.CONDITION, field + ".expression")
        .map(expression -> new JwtSettings.Rule(source, expression, message));
  }

  private Mapping prefixed(@Nullable Object tree, String field) {
    requireKnown(tree, field, PREFIXED);
    String claim = Trees.text(tree, "claim");
    String expression = Trees.text(tree, "expression");
    Object prefix = Trees.at(tree, "prefix");
    if (!claim.isEmpty() && !expression.isEmpty()) {
      errors.invalid(field, "", BOTH);
      return new Mapping.None();
    }
    if (!expression.isEmpty()) {
      if (prefix != null) {
        errors.invalid(field + ".prefix", prefix, "may not be specified when expression is set");
      }
      return expression(expression, field);
    }
    if (claim.isEmpty()) {
      return new Mapping.None();
    }
    if (prefix == null) {
      errors.required(
          field + ".prefix",
          "prefix is required when claim is set. It can be set to an empty string to disable"
              + " prefixing");
    }
    return new Mapping.Claim(claim, Trees.textOrEmpty(prefix));
  }

  private Mapping uid(@Nullable Object tree, String field) {
    requireKnown(tree, field, UID);
    String claim = Trees.text(tree, "claim");
    String expression = Trees.text(tree, "expression");
    if (!claim.isEmpty() && !expression.isEmpty()) {
      errors.invalid(field, "", BOTH);
    } else if (!expression.isEmpty()) {
      return expression(expression, field);
    } else if (!claim.isEmpty()) {
      return new Mapping.Claim(claim, "");
    }
    return new Mapping.None();
  }

  private Mapping expression(String source, String field) {
    return compiled(source, JwtExpressions.CLAIMS, CelExpression.Result.ANY, field + ".expression")
        .<Mapping>map(Mapping.Expression::new)
        .orElseGet(Mapping.None::new);
  }

  private static boolean isFilled(@Nullable Object mapping) {
    return !Trees.text(mapping, "claim").isEmpty() || !Trees.text(mapping, "expression").isEmpty();
  }

  private Map<String, CelExpression> extra(List<Object> trees, String field) {
    var extra = new LinkedHashMap<String, CelExpression>();
    var seen = new HashSet<String>();
    for (int i = 0; i < trees.size(); i++) {
      String here = field + "[" + i + "]";
      requireKnown(trees.get(i), here, EXTRA);
      String key = Trees.text(trees.get(i), "key");
      String source = Trees.text(trees.get(i), "valueExpression");
      extraKey(key, here + ".key");
      if (!seen.add(key)) {
        errors.duplicate(here + ".key", key);
      } else if (source.isEmpty()) {
        errors.required(here + ".valueExpression", "");
      } else {
        compiled(source, JwtExpressions.CLAIMS, CelExpression.Result.ANY, here + ".valueExpression")
            .ifPresent(expression -> extra.put(key, expression));
      }
    }
    return extra;
  }

  private void extraKey(String key, String field) {
    int slash = key.indexOf('/');
    String domain = slash < 0 ? "" : key.substring(0, slash);
    String path = key.substring(slash + 1);
    if (key.isEmpty()) {
      errors.required(field, "");
    } else if (domain.isEmpty() || path.isEmpty()) {
      errors.invalid(field, key, "must be a domain-prefixed path (such as \"acme.io/foo\")");
    } else {
      NameRules.subdomain(domain).forEach(why -> errors.invalid(field, domain, why));
      if (!PATH.matcher(path).matches()) {
        errors.invalid(field, path, "Invalid path (regex used for validation is '" + PATH + "')");
      }
    }
    if (!key.equals(key.toLowerCase(Locale.ROOT))) {
      errors.invalid(field, key, "must be lowercase");
    }
    if (isKubernetes(domain, "kubernetes.io") || isKubernetes(domain, "k8s.io")) {
      errors.invalid(
          field, key, "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use");
    }
  }

  private static boolean isKubernetes(String domain, String reserved) {
    return domain.equals(reserved) || domain.endsWith("." + reserved);
  }

  /** A user may be named for an email address only if something asks whether it is verified. */
  private void requireEmailCheck(
      Mapping username,
      Map<String, CelExpression> extra,
      List<JwtSettings.Rule> claimRules,
      String field) {
    if (!(username instanceof Mapping.Expression(CelExpression name))
        || !selects(name, "email")
        || selects(name, "email_verified")
        || extra.values().stream().anyMatch(value -> selects(value, "email_verified"))
        || claimRules.stream().anyMatch(rule -> selects(rule.expression(), "email_verified"))) {
      return;
    }
    errors.add(
        FieldError.invalidOmitted(
            field + ".username.expression",
            "claims.email_verified must be used in claimMappings.username.expression or"
                + " claimMappings.extra[*].valueExpression or claimValidationRules[*].expression"
                + " when claims.email is used in claimMappings.username.expression"));
  }

  private static boolean selects(CelExpression expression, String claim) {
    return expression.selects(JwtExpressions.CLAIMS_VARIABLE, claim);
  }

  private Optional<CelExpression> compiled(
      String source, CelEnvironment environment, CelExpression.Result wanted, String field) {
    try {
      return Optional.of(CelExpression.compile(source, environment, wanted));
    } catch (CelExpression.InvalidExpression e) {
      errors.invalid(field, source, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }
}
