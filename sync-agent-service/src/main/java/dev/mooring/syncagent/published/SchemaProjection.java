package dev.mooring.syncagent.published;

import dev.mooring.languages.Hashes;
import dev.mooring.model.identity.KubeVersions;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns a CRD into the schema that consumers see:
 *
 * <ol>
 *   <li>take the versions that are served and asked for;
 *   <li>keep the storage version, or make the highest one it;
 *   <li>rename versions, sort them ascending;
 *   <li>rename group, kind and its companions, scope, short names, categories;
 *   <li>name the result by a hash of all of it.
 * </ol>
 *
 * Schemas are copied as they are.
 */
public final class SchemaProjection {
  /** What an APIResourceSchema's version takes over from a CRD's. */
  private static final List<String> VERSION_FIELDS =
      List.of("deprecated", "deprecationWarning", "selectableFields", "subresources");

  /** Names of versions in kcp; a CRD may have others, such as {@code alpha1}. */
  private static final Pattern VERSION = Pattern.compile("v[1-9][0-9]*([a-z]+[1-9][0-9]*)?");

  /** The length of an object's name. */
  private static final int NAME_MAX = 253;

  /** Marks a schema of a Kubernetes group as not reviewed by Kubernetes. */
  private static final String UNAPPROVED = "unapproved, published by a sync agent";

  private final PublishedResource published;
  private final KubeObject crd;
  private final String defaultGroup;

  private SchemaProjection(PublishedResource published, KubeObject crd, String defaultGroup) {
    this.published = published;
    this.crd = crd;
    this.defaultGroup = defaultGroup;
  }

  /**
   * The schema and both types; throws {@link InvalidPublishedResource} if the versions asked for do
   * not work out.
   *
   * @param defaultGroup API group in kcp where the projection has none; empty keeps the CRD's
   */
  public static ProjectedSchema project(
      PublishedResource published, KubeObject crd, String defaultGroup) {
    return new SchemaProjection(published, crd, defaultGroup).run();
  }

  private ProjectedSchema run() {
    List<Map<String, Object>> versions = chosenVersions();
    Map<String, Object> stored = stored(versions);
    Map<String, String> renamed = renamed(versions.stream().map(SchemaProjection::name).toList());
    Map<String, Object> names = names();
    Projection projection = published.projection();
    Scope scope = projection.scope().orElseGet(() -> Scope.of(crd.text("spec", "scope")));
    String group =
        projection
            .group()
            .orElse(defaultGroup.isEmpty() ? crd.text("spec", "group") : defaultGroup);

    var spec = new LinkedHashMap<String, Object>();
    spec.put("group", group);
    spec.put("names", names);
    spec.put("scope", scope.text());
    spec.put(
        "versions",
        versions.stream()
            .map(version ->
                projected(
                    version, renamed.getOrDefault(name(version), name(version)), version == stored))
            .sorted(Comparator.comparing(SchemaProjection::name, KubeVersions.ASCENDING))
            .toList());
    if (versions.size() > 1) {
      spec.put("conversion", Map.of("strategy", "None"));
    }

    String plural = Trees.text(names, "plural");
    return new ProjectedSchema(
        new ApiType(
            new ResourceType(group, renamed.getOrDefault(name(stored), name(stored)), plural),
            Trees.text(names, "kind"),
            scope),
        new ApiType(
            new ResourceType(
                crd.text("spec", "group"), name(stored), crd.text("spec", "names", "plural")),
            crd.text("spec", "names", "kind"),
            Scope.of(crd.text("spec", "scope"))),
        ProjectedSchema.StatusSubresource.of(stored),
        schemaName(spec, plural, group),
        spec,
        crd.generation(),
        renamed.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey)),
        approval(group),
        SchemaNotice.of(crd, versions, stored));
  }

  /** As the CRD has it; types without a CRD have none, and kcp insists. */
  private Optional<String> approval(String group) {
    boolean guarded =
        group.equals("k8s.io")
            || group.endsWith(".k8s.io")
            || group.equals("kubernetes.io")
            || group.endsWith(".kubernetes.io");
    return guarded
        ? Optional.of(crd.annotation(ProjectedSchema.APPROVAL).orElse(UNAPPROVED))
        : Optional.empty();
  }

  private List<Map<String, Object>> chosenVersions() {
    List<Map<String, Object>> served =
        crd.list("spec", "versions").stream()
            .map(Trees::mapOrEmpty)
            .filter(version -> Boolean.TRUE.equals(version.get("served")))
            .toList();
    Set<String> wanted = published.versions();
    List<Map<String, Object>> chosen =
        served.stream()
            .filter(version -> wanted.isEmpty() || wanted.contains(name(version)))
            .toList();
    if (chosen.isEmpty()) {
      throw new InvalidPublishedResource(
          InvalidPublishedResource.Reason.VERSION_NOT_SERVED,
          "none of the versions %s of %s is served; served are %s"
              .formatted(
                  wanted.stream().sorted().toList(),
                  crd.name(),
                  served.stream().map(SchemaProjection::name).toList()));
    }
    return chosen;
  }

  /** The storage version or, if that is not published, the highest one. */
  private static Map<String, Object> stored(List<Map<String, Object>> versions) {
    return versions.stream()
        .filter(version -> Boolean.TRUE.equals(version.get("storage")))
        .findFirst()
        .orElseGet(() ->
            Collections.max(
                versions, Comparator.comparing(SchemaProjection::name, KubeVersions.ASCENDING)));
  }

  private Map<String, String> renamed(List<String> versions) {
    Projection projection = published.projection();
    if (projection.version().isPresent() && versions.size() != 1) {
      throw InvalidPublishedResource.spec(
          "spec.projection.version needs exactly one version, there are "
              + versions
              + "; use spec.projection.versions");
    }
    var renamed = new LinkedHashMap<String, String>();
    for (String version : versions) {
      String name = projection.versions().getOrDefault(version, version);
      renamed.put(version, projection.version().orElse(name));
    }
    if (new HashSet<>(renamed.values()).size() != renamed.size()) {
      throw InvalidPublishedResource.spec(
          "spec.projection.versions gives two versions the same name: " + renamed);
    }
    renamed.values().stream()
        .filter(name -> !VERSION.matcher(name).matches())
        .findFirst()
        .ifPresent(name -> {
          throw InvalidPublishedResource.spec(
              "spec.projection.versions: kcp takes no version named "
                  + name
                  + "; give it a name such as v1 or v1alpha1");
        });
    return renamed;
  }

  private Map<String, Object> names() {
    var names = new LinkedHashMap<>(crd.map("spec", "names"));
    Projection projection = published.projection();
    projection
        .kind()
        .ifPresent(kind -> {
          String singular = kind.toLowerCase(Locale.ROOT);
          names.put("kind", kind);
          names.put("listKind", kind + "List");
          names.put("singular", singular);
          names.put("plural", singular + "s");
        });
    projection.plural().ifPresent(plural -> names.put("plural", plural.toLowerCase(Locale.ROOT)));
    projection.shortNames().ifPresent(shortNames -> putOrClear(names, "shortNames", shortNames));
    projection.categories().ifPresent(categories -> putOrClear(names, "categories", categories));
    return names;
  }

  private static void putOrClear(Map<String, Object> names, String field, List<String> values) {
    if (values.isEmpty()) {
      names.remove(field);
    } else {
      names.put(field, values);
    }
  }

  private Map<String, Object> projected(
      Map<String, Object> version, String newName, boolean isStored) {
    var projected = Trees.ordered("name", newName, "served", true, "storage", isStored);
    for (String field : VERSION_FIELDS) {
      if (version.get(field) != null) {
        projected.put(field, version.get(field));
      }
    }
    if (version.get("additionalPrinterColumns") != null) {
      projected.put("additionalPrinterColumns", SchemaNotice.uniqueColumns(version));
    }
    Object schema = Trees.at(version, "schema", "openAPIV3Schema");
    projected.put(
        "schema", schema != null && !preservesUnknownFields() ? schema : preserving(schema));
    return projected;
  }

  /** Of a CRD from before {@code apiextensions.k8s.io/v1}, which keeps what its schema lacks. */
  private boolean preservesUnknownFields() {
    return Boolean.TRUE.equals(crd.at("spec", "preserveUnknownFields"));
  }

  private static Map<String, Object> preserving(@Nullable Object schema) {
    var preserving = new LinkedHashMap<String, Object>(Trees.mapOrEmpty(schema));
    preserving.put("type", "object");
    preserving.put("x-kubernetes-preserve-unknown-fields", true);
    return preserving;
  }

  private static String name(Map<String, Object> version) {
    return Trees.text(version, "name");
  }

  /** {@code v<8 hex>.<plural>.<group>}: kcp demands the ending. */
  private static String schemaName(Map<String, Object> spec, String plural, String group) {
    String hash = Hashes.sha1(KubeJson.writeText(sorted(spec))).substring(0, 8);
    String name = "v" + hash + "." + plural + "." + (group.isEmpty() ? "core" : group);
    if (name.length() > NAME_MAX) {
      throw InvalidPublishedResource.spec(
          "spec.projection.group: the name of the APIResourceSchema would have %d characters, %d are"
                  .formatted(name.length(), NAME_MAX)
              + " possible; set a shorter group");
    }
    return name;
  }

  /** Keys in order at every depth: the name must not depend on how the server wrote the CRD. */
  private static Object sorted(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var sorted = new TreeMap<String, Object>();
        map.forEach((key, item) -> sorted.put((String) key, sorted(item)));
        yield sorted;
      }
      case List<?> list -> list.stream().map(SchemaProjection::sorted).toList();
      case null, default -> value;
    };
  }
}
