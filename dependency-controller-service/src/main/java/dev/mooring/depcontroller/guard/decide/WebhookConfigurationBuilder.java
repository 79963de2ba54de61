package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.RaceProtection;
import dev.mooring.model.dependency.WebhookContract;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Builds a {@code ValidatingWebhookConfiguration}, and reads what one covers. Every field that the
 * API server would default is set, so that actual and wanted configurations can be compared.
 *
 * <ol start="0">
 *   <li>{@link #ENFORCING}: deletions, except of objects with the bypass annotation;
 *   <li>{@link #BYPASS_AUDIT}: deletions of those objects, for the record;
 *   <li>{@link #PERMISSION}: deletions of which only the webhook decides on a bypass (under the
 *       first name if there are no others);
 *   <li>{@link #ADVISORY}: deletions that rules only warn of or audit, annotated or not;
 *   <li>{@link #REFERENCES}: creations and updates that may bring new references, also of the
 *       status where a rule reads it.
 * </ol>
 *
 * Entries that would cover nothing are left out. {@code failurePolicy: Ignore} applies only to a
 * webhook that does not answer. So that a webhook without rules does not deny either, the URL of
 * those entries ends with {@link WebhookContract#NOTIFY_PATH} (always allowed) or {@link
 * WebhookContract#WARN_PATH} (denied only by rules that are known).
 */
final class WebhookConfigurationBuilder {
  static final String ENFORCING = "dependency-controller." + DependencyRule.GROUP;
  static final String BYPASS_AUDIT = "bypass-audit." + DependencyRule.GROUP;
  static final String PERMISSION = "require-permission." + DependencyRule.GROUP;
  static final String ADVISORY = "advisory." + DependencyRule.GROUP;
  static final String REFERENCES = "references." + DependencyRule.GROUP;

  private static final String API_VERSION = "admissionregistration.k8s.io/v1";
  private static final String KIND = "ValidatingWebhookConfiguration";
  private static final String ANNOTATIONS = "oldObject.metadata.annotations";
  private static final String SKIPPED =
      "has(%1$s) && '%2$s' in %1$s && %1$s['%2$s'] == 'true'"
          .formatted(ANNOTATIONS, DependencyRule.SKIP_PROTECTION);
  private static final Map<String, Object> UNLESS_SKIPPED =
      Map.of("name", "not-skipped", "expression", "!(" + SKIPPED + ")");
  private static final Map<String, Object> IF_SKIPPED =
      Map.of("name", "skipped", "expression", SKIPPED);
  private static final String DRY_RUN_SAFE = "NoneOnDryRun";

  private static final String IGNORE = GuardSettings.FailurePolicy.IGNORE.value();

  /** A deletion does not wait longer for an entry that denies nothing. */
  private static final long NOTIFY_TIMEOUT_SECONDS = 2;

  private static final String STATUS = "/status";

  private WebhookConfigurationBuilder() {}

  static KubeObject configuration(List<Object> webhooks) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("apiVersion", API_VERSION);
    tree.put("kind", KIND);
    tree.put("metadata", Map.of("name", GuardSettings.CONFIGURATION));
    tree.put("webhooks", webhooks);
    return KubeObject.of(tree);
  }

  /** The entries, with one rule for each resource, in order. */
  static List<Object> webhooks(GuardSettings settings, LogicalCluster provider, Coverage coverage) {
    return webhooks(settings, segment(settings, provider, Optional.empty()), coverage);
  }

  /**
   * @param segment that names the provider in the URL
   */
  static List<Object> webhooks(GuardSettings settings, String segment, Coverage coverage) {
    String url = url(settings, segment);
    var reviewed = client(settings, url);
    String policy = settings.failurePolicy().value();
    long timeout = settings.timeout().toSeconds();
    var annotated = guarded(coverage, guard -> guard.denies(Bypass.ANNOTATION));
    var permitted = guarded(coverage, guard -> guard.denies(Bypass.REQUIRE_PERMISSION));
    var warned = guarded(coverage, guard -> guard.effect() == DeletionGuard.Effect.WARN);
    var entries = new ArrayList<Object>();
    if (!annotated.isEmpty()) {
      String effects = sideEffects(annotated.values());
      var enforcing = entry(ENFORCING, reviewed, deletions(annotated), policy, timeout, effects);
      enforcing.put("matchConditions", List.of(UNLESS_SKIPPED));
      entries.add(enforcing);
      var audit =
          entry(
              BYPASS_AUDIT,
              client(settings, url + WebhookContract.NOTIFY_PATH),
              deletions(annotated),
              IGNORE,
              NOTIFY_TIMEOUT_SECONDS,
              DRY_RUN_SAFE);
      audit.put("matchConditions", List.of(IF_SKIPPED));
      entries.add(audit);
    }
    if (!permitted.isEmpty()) {
      String name = annotated.isEmpty() ? ENFORCING : PERMISSION;
      String effects = sideEffects(permitted.values());
      entries.add(entry(name, reviewed, deletions(permitted), policy, timeout, effects));
    }
    if (!warned.isEmpty()) {
      var advised = client(settings, url + WebhookContract.WARN_PATH);
      entries.add(entry(ADVISORY, advised, deletions(warned), IGNORE, timeout, DRY_RUN_SAFE));
    }
    if (!coverage.references().isEmpty()) {
      entries.add(entry(REFERENCES, reviewed, references(coverage), policy, timeout, DRY_RUN_SAFE));
    }
    return Trees.listOrEmpty(Trees.freeze(entries));
  }

  /** What a configuration covers, also one that another program wrote. */
  static Coverage coveredBy(KubeObject configuration) {
    Coverage coverage = Coverage.NONE;
    for (Object entry : configuration.list("webhooks")) {
      if (!BYPASS_AUDIT.equals(Trees.text(entry, "name"))) {
        coverage = coverage.and(coveredBy(entry));
      }
    }
    return coverage;
  }

  private static Coverage coveredBy(Object entry) {
    DeletionGuard guard = guardOf(entry);
    Coverage coverage = Coverage.NONE;
    for (Object rule : Trees.list(entry, "rules")) {
      List<Object> operations = Trees.list(rule, "operations");
      if (operations.contains("DELETE")) {
        var deletions = new TreeMap<GroupResource, DeletionGuard>();
        types(rule).keySet().forEach(type -> deletions.put(GroupResource.of(type), guard));
        coverage = coverage.and(new Coverage(deletions, new TreeMap<>()));
      }
      if (operations.contains("CREATE")) {
        coverage = coverage.and(new Coverage(new TreeMap<>(), types(rule)));
      }
    }
    return coverage;
  }

  private static DeletionGuard guardOf(Object entry) {
    if (ADVISORY.equals(Trees.at(entry, "name"))) {
      return DeletionGuard.WARNING;
    }
    return new DeletionGuard(
        Trees.list(entry, "matchConditions").isEmpty()
            ? Bypass.REQUIRE_PERMISSION
            : Bypass.ANNOTATION,
        DRY_RUN_SAFE.equals(Trees.at(entry, "sideEffects"))
            ? RaceProtection.STRICT
            : RaceProtection.NONE);
  }

  /** The types of whole objects; a subresource of a resource in the same rule only widens it. */
  private static SortedMap<ResourceType, ReferenceGuard> types(Object rule) {
    List<Object> resources = Trees.list(rule, "resources");
    var types = new TreeMap<ResourceType, ReferenceGuard>();
    for (Object group : Trees.list(rule, "apiGroups")) {
      for (Object version : Trees.list(rule, "apiVersions")) {
        for (Object resource : resources) {
          if (group instanceof String g
              && version instanceof String v
              && resource instanceof String r
              && !v.isEmpty()
              && !r.isEmpty()
              && r.indexOf('/') < 0) {
            types.put(
                new ResourceType(g, v, r),
                resources.contains(r + STATUS)
                    ? ReferenceGuard.OBJECT_AND_STATUS
                    : ReferenceGuard.OBJECT);
          }
        }
      }
    }
    return types;
  }

  private static LinkedHashMap<String, Object> entry(
      String name,
      Map<String, Object> client,
      List<Object> rules,
      String failurePolicy,
      long timeoutSeconds,
      String sideEffects) {
    return Trees.ordered(
        "name", name,
        "clientConfig", client,
        "rules", rules,
        "failurePolicy", failurePolicy,
        "matchPolicy", "Equivalent",
        "namespaceSelector", Map.of(),
        "objectSelector", Map.of(),
        "timeoutSeconds", timeoutSeconds,
        "sideEffects", sideEffects,
        "admissionReviewVersions", List.of("v1"));
  }

  private static SortedMap<GroupResource, DeletionGuard> guarded(
      Coverage coverage, Predicate<DeletionGuard> kind) {
    var guarded = new TreeMap<>(coverage.deletions());
    guarded.values().removeIf(kind.negate());
    return guarded;
  }

  private static String sideEffects(Collection<DeletionGuard> guards) {
    return guards.stream().anyMatch(guard -> guard.race() == RaceProtection.STRICT)
        ? DRY_RUN_SAFE
        : "None";
  }

  /** All versions: an object can be deleted through any of them. */
  private static List<Object> deletions(SortedMap<GroupResource, DeletionGuard> guarded) {
    return guarded.keySet().stream()
        .<Object>map(resource ->
            rule(resource.group(), "*", List.of(resource.resource()), List.of("DELETE")))
        .toList();
  }

  /** One version: the API server turns others into it, and the rule's paths are written for it. */
  private static List<Object> references(Coverage coverage) {
    var rules = new ArrayList<Object>();
    coverage
        .references()
        .forEach((type, guard) -> {
          List<String> resources =
              switch (guard) {
                case OBJECT -> List.of(type.resource());
                case OBJECT_AND_STATUS -> List.of(type.resource(), type.resource() + STATUS);
              };
          rules.add(rule(type.group(), type.version(), resources, List.of("CREATE", "UPDATE")));
        });
    return rules;
  }

  private static Map<String, Object> rule(
      String group, String version, List<String> resources, List<String> operations) {
    return Map.of(
        "apiGroups",
        List.of(group),
        "apiVersions",
        List.of(version),
        "operations",
        operations,
        "resources",
        resources,
        "scope",
        "*");
  }

  private static Map<String, Object> client(GuardSettings settings, String url) {
    var client = new LinkedHashMap<String, Object>();
    client.put("url", url);
    if (!settings.caBundle().isEmpty()) {
      client.put("caBundle", settings.caBundle());
    }
    return client;
  }

  /**
   * The segment that names the provider in the URL, signed with the controller's key. While no key
   * is known, an existing signature stays: the webhook may refuse unsigned reviews.
   */
  static String segment(
      GuardSettings settings, LogicalCluster provider, Optional<KubeObject> actual) {
    return settings
        .signer()
        .map(signer -> signer.apply(provider))
        .or(() -> actual.flatMap(found -> signedSegment(found, provider)))
        .orElse(provider.name());
  }

  private static Optional<String> signedSegment(KubeObject configuration, LogicalCluster provider) {
    return configuration.list("webhooks").stream()
        .flatMap(entry -> segments(entry).stream())
        .filter(segment -> segment.startsWith(provider.name() + "."))
        .findFirst();
  }

  static List<String> segments(Object entry) {
    return List.of(Trees.text(entry, "clientConfig", "url").split("/"));
  }

  /** API servers refuse query parameters in a webhook's URL, so the provider is a path segment. */
  private static String url(GuardSettings settings, String segment) {
    String separator = settings.url().endsWith("/") ? "" : "/";
    return settings.url() + separator + segment;
  }
}
