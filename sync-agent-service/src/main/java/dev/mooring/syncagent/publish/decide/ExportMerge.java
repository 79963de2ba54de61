package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.published.LabelSelector;
import dev.mooring.model.published.ProjectedSchema;
import dev.mooring.model.published.PublishedResource;
import dev.mooring.model.published.PublishedResource.WorkspacePaths;
import dev.mooring.model.published.RelatedResource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Brings one published type and the claims that it needs into an APIExport (v1alpha2). What others
 * put there stays: other resources, other claims, and claims that were narrowed by hand.
 */
final class ExportMerge {
  /** A permission claim by what identifies it. */
  record Claim(String group, String resource, String identityHash) {
    @Override
    public String toString() {
      return group.isEmpty() ? resource : resource + "." + group;
    }
  }

  private ExportMerge() {}

  /** Resources in order, with the published type's entry pointing at its schema. */
  static List<Object> resources(KubeObject export, ProjectedSchema schema) {
    String group = schema.inKcp().resource().group();
    String plural = schema.inKcp().resource().resource();
    var merged = new ArrayList<Object>();
    var own = new LinkedHashMap<String, Object>();
    own.put("group", group);
    own.put("name", plural);
    own.put("schema", schema.schemaName());
    own.put("storage", Map.of("crd", Map.of()));
    for (Object entry : export.list("spec", "resources")) {
      if (text(entry, "group").equals(group) && text(entry, "name").equals(plural)) {
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

  /** Claims that the type needs and the export lacks, in order. */
  static List<Claim> missingClaims(KubeObject export, PublishedResource published) {
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
            new Claim(related.type().group(), related.type().resource(), related.identityHash()));
      }
    }
    for (Object entry : export.list("spec", "permissionClaims")) {
      wanted.remove(
          new Claim(text(entry, "group"), text(entry, "resource"), text(entry, "identityHash")));
    }
    return List.copyOf(wanted);
  }

  /** All claims in order, the missing ones with every verb. */
  static List<Object> claims(KubeObject export, List<Claim> missing) {
    var merged = new ArrayList<>(export.list("spec", "permissionClaims"));
    for (Claim claim : missing) {
      var entry = new LinkedHashMap<String, Object>();
      entry.put("group", claim.group());
      entry.put("resource", claim.resource());
      if (!claim.identityHash().isEmpty()) {
        entry.put("identityHash", claim.identityHash());
      }
      entry.put("verbs", List.of("*"));
      merged.add(entry);
    }
    merged.sort(
        Comparator.comparing((Object entry) -> text(entry, "resource") + "." + text(entry, "group"))
            .thenComparing(entry -> text(entry, "identityHash")));
    return List.copyOf(merged);
  }

  private static boolean exported(KubeObject export, RelatedResource related) {
    return related.identityHash().isEmpty()
        && export.list("spec", "resources").stream()
            .anyMatch(entry ->
                text(entry, "group").equals(related.type().group())
                    && text(entry, "name").equals(related.type().resource()));
  }

  private static String text(Object entry, String field) {
    return Trees.textOrEmpty(Trees.at(entry, field));
  }
}
