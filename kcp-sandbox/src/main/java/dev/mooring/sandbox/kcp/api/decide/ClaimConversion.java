package dev.mooring.sandbox.kcp.api.decide;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.claim.decide.ClaimSelector;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.object.decide.Annotations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Converts permission claims between {@code v1alpha1}, which selects objects by name, and {@code
 * v1alpha2}, which has verbs and label selectors. An annotation keeps what the other version cannot
 * express.
 */
final class ClaimConversion {
  private static final List<Object> EVERY_VERB = List.of("*");

  private static final List<String> ORDER =
      List.of(
          "group",
          "resource",
          "verbs",
          "all",
          "resourceSelector",
          "identityHash",
          "defaultSelector",
          "selector",
          "state");

  private ClaimConversion() {}

  /**
   * A field that holds claims.
   *
   * @param newer the annotation that keeps what {@code v1alpha1} cannot express
   * @param older the annotation that keeps what {@code v1alpha2} cannot express
   */
  record Field(Form form, String newer, String older, String... path) {
    /** {@code into} with the claims of {@code from} as {@code v1alpha2} has them. */
    KubeObject upgrade(KubeObject from, KubeObject into) {
      // Only names of objects have no counterpart; "all" is the selector matchAll.
      return convert(
          from,
          into,
          newer,
          older,
          claim -> upgraded(claim, form),
          ClaimConversion::restoreScope,
          claim -> claim.containsKey("resourceSelector") || form == Form.OFFERED);
    }

    /** {@code into} with the claims of {@code from} as {@code v1alpha1} has them. */
    KubeObject downgrade(KubeObject from, KubeObject into) {
      return convert(
          from,
          into,
          older,
          newer,
          claim -> downgraded(claim, form),
          ClaimConversion::restoreNames,
          claim -> !isPlain(claim, form));
    }

    private KubeObject convert(
        KubeObject from,
        KubeObject into,
        String restored,
        String kept,
        UnaryOperator<Map<String, Object>> conversion,
        BiConsumer<Map<String, Object>, Map<String, Object>> restore,
        Predicate<Map<String, Object>> lossy) {
      List<Object> claims = from.list(path);
      KubeObject converted = into;
      if (!claims.isEmpty()) {
        var plain = claims.stream().map(Trees::mapOrEmpty).map(conversion).toList();
        converted = into.with(recalled(from, restored, plain, restore), path);
      }
      return remembering(Annotations.without(converted, restored), kept, claims, lossy);
    }
  }

  /** The shape of a claim, by the field that holds it. */
  enum Form {
    /** In an export: resource and verbs. */
    OFFERED,
    /** In a binding's status: with a selector. */
    SCOPED,
    /** In a binding's spec: with a selector and the consumer's answer. */
    ANSWERED
  }

  private static Map<String, Object> upgraded(Map<String, Object> claim, Form form) {
    var tree = new LinkedHashMap<>(ClaimedResource.of(claim).tree());
    if (form != Form.OFFERED) {
      // v1alpha1's name selectors were never enforced: such a claim always meant everything.
      tree.put("selector", Map.of("matchAll", true));
    }
    if (form == Form.ANSWERED) {
      tree.put("state", claim.get("state"));
    }
    tree.put("verbs", EVERY_VERB);
    return tree;
  }

  private static Map<String, Object> downgraded(Map<String, Object> claim, Form form) {
    var tree = new LinkedHashMap<String, Object>();
    if (form != Form.OFFERED && new ClaimSelector(Trees.map(claim, "selector")).matchesAll()) {
      tree.put("all", true);
    }
    ClaimedResource resource = ClaimedResource.of(claim);
    Trees.putUnlessEmpty(tree, "group", resource.group());
    Trees.putUnlessEmpty(tree, "identityHash", resource.identityHash());
    tree.put("resource", resource.resource());
    if (form == Form.ANSWERED) {
      tree.put("state", claim.get("state"));
    }
    return tree;
  }

  /** Whether {@code v1alpha1} can express the whole claim. */
  private static boolean isPlain(Map<String, Object> claim, Form form) {
    return EVERY_VERB.equals(claim.get("verbs"))
        && (form == Form.OFFERED || new ClaimSelector(Trees.map(claim, "selector")).matchesAll());
  }

  /** Keeps the claims that meet {@code lossy} in an annotation; the object itself if none does. */
  private static KubeObject remembering(
      KubeObject object,
      String annotation,
      List<Object> claims,
      Predicate<Map<String, Object>> lossy) {
    List<Map<String, Object>> kept =
        claims.stream()
            .map(Trees::mapOrEmpty)
            .filter(lossy)
            .map(ClaimConversion::withoutEmpty)
            .toList();
    return kept.isEmpty()
        ? object
        : object.with(KubeJson.writeText(kept), "metadata", "annotations", annotation);
  }

  /**
   * Restores fields of claims from an annotation; {@code restore} gets the kept claim and the one
   * to complete.
   */
  private static List<Map<String, Object>> recalled(
      KubeObject object,
      String annotation,
      List<Map<String, Object>> claims,
      BiConsumer<Map<String, Object>, Map<String, Object>> restore) {
    List<Object> remembered =
        object
            .annotation(annotation)
            .map(text -> Trees.listOrEmpty(KubeJson.read(text)))
            .orElse(List.of());
    if (remembered.isEmpty()) {
      return claims;
    }
    return claims.stream()
        .map(claim -> {
          Map<String, Object> completed = new LinkedHashMap<>(claim);
          for (Object item : remembered) {
            Map<String, Object> before = Trees.mapOrEmpty(item);
            if (ClaimedResource.of(before).equals(ClaimedResource.of(claim))) {
              restore.accept(before, completed);
            }
          }
          return completed;
        })
        .toList();
  }

  /** Copies the fields that {@code v1alpha1} alone has. */
  private static void restoreNames(Map<String, Object> before, Map<String, Object> claim) {
    copyOrDrop(before, claim, "all");
    copyOrDrop(before, claim, "resourceSelector");
  }

  /** Copies the fields that {@code v1alpha2} alone has. */
  private static void restoreScope(Map<String, Object> before, Map<String, Object> claim) {
    copyOrDrop(before, claim, "verbs");
    if (before.containsKey("selector")) {
      copyOrDrop(before, claim, "selector");
    }
    if (before.containsKey("defaultSelector")) {
      copyOrDrop(before, claim, "defaultSelector");
    }
  }

  private static void copyOrDrop(Map<String, Object> from, Map<String, Object> into, String field) {
    if (from.containsKey(field)) {
      into.put(field, from.get(field));
    } else {
      into.remove(field);
    }
  }

  /** As Go writes it: its fields in their order, without those that are empty. */
  private static Map<String, Object> withoutEmpty(Map<String, Object> claim) {
    var tree = new LinkedHashMap<String, Object>();
    for (String field : ORDER) {
      if (claim.containsKey(field) && !"".equals(claim.get(field))) {
        tree.put(field, claim.get(field));
      }
    }
    return tree;
  }
}
