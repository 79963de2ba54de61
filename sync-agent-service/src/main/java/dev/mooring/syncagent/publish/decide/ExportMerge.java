package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.PublishedResource.WorkspacePaths;
import dev.mooring.syncagent.published.RelatedResource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/**
 * Brings one published type and the claims that it needs into an APIExport (v1alpha2). What others
 * put there stays: other resources, other claims, and claims that were narrowed by hand.
 */
final class ExportMerge {
  static final String CLAIMS_IN_OLD_FORM = "apis.v1alpha2.kcp.io/v1alpha1-permission-claims";

  /** A permission claim by what identifies it. */
  record Claim(String group, String resource, String identityHash) {
    @Override
    public String toString() {
      return group.isEmpty() ? resource : resource + "." + group;
    }

    /** The resources of these claims, for a message. */
    static String named(List<Claim> claims) {
      return claims.stream().map(Claim::toString).distinct().collect(Collectors.joining(", "));
    }

    private Map<String, Object> with(String field, Object value) {
      var entry = Trees.ordered("group", group, "resource", resource, field, value);
      Trees.putUnlessEmpty(entry, "identityHash", identityHash);
      return entry;
    }
  }

  private ExportMerge() {}

  /** Resources in order, with the published type's entry pointing at its schema. */
  static List<Object> resources(KubeObject export, ProjectedSchema schema) {
    var merged = new ArrayList<Object>();
    ResourceType type = schema.inKcp().resource();
    var own =
        Trees.ordered(
            "group", type.group(),
            "name", type.resource(),
            "schema", schema.schemaName(),
            "storage", Map.of("crd", Map.of()));
    for (Object entry : export.list("spec", "resources")) {
      if (lists(entry, type)) {
        Object storage = Trees.at(entry, "storage");
        if (storage != null) {
          own.put("storage", storage);
        }
      } else {
        merged.add(entry);
      }
    }
    merged.add(own);
    merged.sort(Comparator.comparing(entry -> text(entry, "name") + "." + text(entry, "group")));
    return List.copyOf(merged);
  }

  /** Name of the schema by which the export serves the type; empty if it does not. */
  static Optional<String> listed(KubeObject export, ProjectedSchema schema) {
    return export.list("spec", "resources").stream()
        .filter(entry -> lists(entry, schema.inKcp().resource()))
        .map(entry -> text(entry, "schema"))
        .findFirst();
  }

  /** Whether the export lists a schema as another type than the wanted one is. */
  static boolean listsUnderAnotherName(
      KubeObject export, String schemaName, ProjectedSchema wanted) {
    return export.list("spec", "resources").stream()
        .filter(entry -> text(entry, "schema").equals(schemaName))
        .anyMatch(entry -> !lists(entry, wanted.inKcp().resource()));
  }

  /** Claims that the type needs and the export lacks, in order. */
  static List<Claim> missingClaims(KubeObject export, PublishedResource published) {
    SequencedSet<Claim> wanted = wantedClaims(export, published);
    return wanted.stream().filter(claim -> claimed(export, claim).isEmpty()).toList();
  }

  private static SequencedSet<Claim> wantedClaims(KubeObject export, PublishedResource published) {
    SequencedSet<Claim> wanted = new LinkedHashSet<>();
    wanted.add(new Claim("", "events", ""));
    if (!published.related().isEmpty()
        || !published.namespaceFilter().equals(LabelSelector.EVERYTHING)) {
      wanted.add(new Claim("", "namespaces", ""));
    }
    if (published.workspacePaths() == WorkspacePaths.ON) {
      wanted.add(new Claim("core.kcp.io", "logicalclusters", ""));
    }
    for (RelatedResource related : published.related()) {
      if (!exported(export, related)) {
        wanted.add(
            new Claim(
                related.types().inKcp().group(),
                related.types().inKcp().resource(),
                related.identityHash()));
      }
    }
    return wanted;
  }

  /**
   * Claims that the type needs and cannot have: kcp keeps one claim of a resource, and the export's
   * names another identity.
   */
  static List<Claim> conflictingClaims(KubeObject export, PublishedResource published) {
    return wantedClaims(export, published).stream()
        .filter(claim ->
            claimed(export, claim).filter(hash -> !hash.equals(claim.identityHash())).isPresent())
        .toList();
  }

  /** Identity hash of the export's claim on the same resource, with any verbs. */
  private static Optional<String> claimed(KubeObject export, Claim claim) {
    List<String> hashes =
        export.list("spec", "permissionClaims").stream()
            .filter(entry ->
                text(entry, "group").equals(claim.group())
                    && text(entry, "resource").equals(claim.resource()))
            .map(entry -> text(entry, "identityHash"))
            .toList();
    return hashes.contains(claim.identityHash())
        ? Optional.of(claim.identityHash())
        : hashes.stream().findFirst();
  }

  /**
   * All claims in order, the missing ones with the given verbs; of several on one resource that are
   * missing, the first.
   */
  static List<Object> claims(KubeObject export, List<Claim> missing, List<String> verbs) {
    var merged = new ArrayList<>(export.list("spec", "permissionClaims"));
    var added = new HashSet<String>();
    for (Claim claim : missing) {
      if (added.add(claim.toString())) {
        merged.add(claim.with("verbs", verbs));
      }
    }
    merged.sort(
        Comparator.comparing((Object entry) -> text(entry, "group"))
            .thenComparing(entry -> text(entry, "resource"))
            .thenComparing(entry -> text(entry, "identityHash")));
    return List.copyOf(merged);
  }

  /**
   * The annotation by which kcp tells readers of {@code v1alpha1} that claims are for all objects:
   * it does not conclude that from their verbs (sdk, {@code
   * apis/v1alpha2/types_apiexport_conversion.go}).
   *
   * @param missing claims that are added with every verb
   */
  static String claimsInOldForm(KubeObject export, List<Claim> missing) {
    var entries = new ArrayList<>(oldForm(export));
    missing.forEach(claim -> entries.add(claim.with("all", true)));
    return KubeJson.writeText(entries);
  }

  private static List<Object> oldForm(KubeObject export) {
    try {
      return export
          .annotation(CLAIMS_IN_OLD_FORM)
          .map(text -> Trees.listOrEmpty(KubeJson.read(text)))
          .orElse(List.of());
    } catch (MalformedJson e) {
      // kcp cannot read it either.
      return List.of();
    }
  }

  private static boolean exported(KubeObject export, RelatedResource related) {
    return related.identityHash().isEmpty()
        && export.list("spec", "resources").stream()
            .anyMatch(entry -> lists(entry, related.types().inKcp()));
  }

  private static boolean lists(Object entry, ResourceType type) {
    return text(entry, "group").equals(type.group()) && text(entry, "name").equals(type.resource());
  }

  private static String text(Object entry, String field) {
    return Trees.text(entry, field);
  }
}
