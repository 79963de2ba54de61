package dev.mooring.cli.migrate.kdp;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.InvalidPublishedResource;
import dev.mooring.syncagent.published.PublishedResource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One PublishedResource of the KDP Servlet, as Mooring's.
 *
 * @param notes in the order of the fields
 */
record KdpConversion(KubeObject resource, List<Note> notes) {
  private static final Set<String> FIELDS =
      Set.of(
          "resource",
          "filter",
          "naming",
          "projection",
          "mutation",
          "related",
          "enableWorkspacePaths",
          "synchronization");
  private static final Set<String> MUTATIONS = Set.of("delete", "regex", "template", "cel");
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  /** The Servlet's defaults; those of Mooring would give other names. */
  private static final SortedMap<String, Object> NAMING =
      new TreeMap<>(
          Map.of(
              "name", "$remoteNamespaceHash-$remoteNameHash", "namespace", "$remoteClusterName"));

  /**
   * What was changed, or has no counterpart.
   *
   * @param field such as {@code spec.related[0].origin}
   */
  record Note(String field, Kind kind, String message) {
    enum Kind {
      /** Written in another form, with the same meaning. */
      CONVERTED,
      /** Left out: the user decides about it. */
      NO_COUNTERPART
    }
  }

  KdpConversion {
    notes = List.copyOf(notes);
  }

  /**
   * @param apiGroup of the KDP Service
   */
  static KdpConversion of(KubeObject kdp, String apiGroup) {
    return new Converter(kdp, apiGroup).convert();
  }

  private static final class Converter {
    private final KubeObject kdp;
    private final String apiGroup;
    private final List<Note> notes = new ArrayList<>();

    private Converter(KubeObject kdp, String apiGroup) {
      this.kdp = kdp;
      this.apiGroup = apiGroup;
    }

    private KdpConversion convert() {
      Map<String, Object> from = kdp.map("spec");
      var spec = new LinkedHashMap<String, Object>();
      spec.put("resource", resource(from.get("resource")));
      put(spec, "filter", filter(from.get("filter")));
      spec.put("naming", naming(from.get("naming")));
      spec.put("projection", projection(from));
      put(spec, "mutation", mutation(from.get("mutation")));
      List<Object> related = related(Trees.list(from, "related"));
      if (!related.isEmpty()) {
        spec.put("related", related);
      }
      for (String field : List.of("enableWorkspacePaths", "synchronization")) {
        if (from.get(field) != null) {
          spec.put(field, from.get(field));
        }
      }
      from.keySet().stream()
          .filter(field -> !FIELDS.contains(field))
          .sorted()
          .forEach(field -> lost("spec." + field, "Mooring has no such field"));
      var tree = new LinkedHashMap<String, Object>();
      tree.put("apiVersion", PublishedResource.TYPE.apiVersion());
      tree.put("kind", PublishedResource.KIND);
      tree.put("metadata", metadata());
      tree.put("spec", spec);
      KubeObject converted = KubeObject.of(tree);
      validate(converted);
      return new KdpConversion(converted, notes);
    }

    private Map<String, Object> metadata() {
      var metadata = new LinkedHashMap<String, Object>();
      metadata.put("name", kdp.name());
      if (!kdp.labels().isEmpty()) {
        metadata.put("labels", kdp.labels());
      }
      var annotations = new LinkedHashMap<String, Object>(kdp.annotations());
      annotations.remove(LAST_APPLIED);
      if (!annotations.isEmpty()) {
        metadata.put("annotations", annotations);
      }
      return metadata;
    }

    private Map<String, Object> resource(@Nullable Object from) {
      var resource = new LinkedHashMap<String, Object>();
      resource.put("apiGroup", Trees.text(from, "apiGroup"));
      resource.put("kind", Trees.text(from, "kind"));
      String version = Trees.text(from, "version");
      List<Object> versions = Trees.list(from, "versions");
      if (!versions.isEmpty()) {
        resource.put("versions", versions);
      } else if (!version.isEmpty()) {
        resource.put("versions", List.of(version));
      }
      return resource;
    }

    private Map<String, Object> filter(@Nullable Object from) {
      var filter = new LinkedHashMap<String, Object>(Trees.mapOrEmpty(from));
      if (filter.get("namespace") instanceof String name) {
        filter.put("namespace", Map.of("matchLabels", Map.of("kubernetes.io/metadata.name", name)));
        converted("spec.filter.namespace", "the name \"" + name + "\" is a selector of its label");
      }
      return filter;
    }

    private Map<String, Object> naming(@Nullable Object from) {
      var naming = new LinkedHashMap<>(NAMING);
      Map<String, Object> set = Trees.mapOrEmpty(from);
      NAMING.forEach((field, text) -> {
        if (!set.containsKey(field)) {
          converted(
              "spec.naming." + field,
              "the Servlet's default %s is written, so that copies keep their names"
                  .formatted(text));
        }
      });
      naming.putAll(set);
      return naming;
    }

    /** The group is that of the Service; the Servlet knows no other. */
    private Map<String, Object> projection(Map<String, Object> from) {
      var projection = new LinkedHashMap<String, Object>();
      projection.put("group", apiGroup);
      var set = new LinkedHashMap<>(Trees.map(from, "projection"));
      String version = Trees.textOrEmpty(set.remove("version"));
      if (!version.isEmpty()) {
        String served = Trees.text(from.get("resource"), "version");
        if (served.isEmpty()) {
          lost(
              "spec.projection.version",
              "spec.resource.version is missing, so it is not known of what");
        } else {
          set.put("versions", Map.of(served, version));
        }
      }
      if (set.get("plural") instanceof String plural
          && !plural.equals(plural.toLowerCase(Locale.ROOT))) {
        set.put("plural", plural.toLowerCase(Locale.ROOT));
        converted("spec.projection.plural", "names of resources are in lower case");
      }
      projection.putAll(set);
      return projection;
    }

    private Map<String, Object> mutation(@Nullable Object from) {
      var mutation = new LinkedHashMap<String, Object>();
      Trees.mapOrEmpty(from)
          .forEach((direction, steps) ->
              mutation.put(
                  direction, mutations("spec.mutation." + direction, Trees.listOrEmpty(steps))));
      mutation.values().removeIf(steps -> Trees.listOrEmpty(steps).isEmpty());
      return mutation;
    }

    private List<Object> mutations(String field, List<Object> steps) {
      var kept = new ArrayList<Object>();
      for (int i = 0; i < steps.size(); i++) {
        String at = field + "[" + i + "]";
        var step = new LinkedHashMap<String, Object>();
        Trees.mapOrEmpty(steps.get(i))
            .forEach((kind, rule) -> {
              if (MUTATIONS.contains(kind)) {
                step.put(kind, kind.equals("regex") ? regex(at + ".regex", rule) : rule);
                if (Trees.text(rule, "template").contains(".ObjectMeta.")) {
                  lost(
                      at + ".template",
                      "templates read the object as JSON: write .metadata.namespace for"
                          + " .ObjectMeta.Namespace");
                }
              } else {
                lost(at + "." + kind, "write it as cel, template, regex or delete");
              }
            });
        if (!step.isEmpty()) {
          kept.add(step);
        }
      }
      return kept;
    }

    private Object regex(String field, @Nullable Object from) {
      var regex = new LinkedHashMap<String, Object>(Trees.mapOrEmpty(from));
      if (regex.get("replacement") instanceof String replacement
          && replacement.matches("(?s).*\\\\[0-9].*")) {
        regex.put("replacement", replacement.replaceAll("\\\\([0-9])", "\\${$1}"));
        converted(field + ".replacement", "groups are written ${1}");
      }
      return regex;
    }

    private List<Object> related(List<Object> entries) {
      var used = new HashSet<String>();
      var related = new ArrayList<Object>();
      for (int i = 0; i < entries.size(); i++) {
        related.add(related("spec.related[" + i + "]", entries.get(i), used));
      }
      return related;
    }

    private Object related(String field, Object from, Set<String> used) {
      var rest = new LinkedHashMap<String, Object>(Trees.mapOrEmpty(from));
      var entry = new LinkedHashMap<String, Object>();
      entry.put("identifier", identifier(field, rest, used));
      String origin = Trees.textOrEmpty(rest.remove("origin"));
      if (origin.equals("platform")) {
        converted(field + ".origin", "platform is called kcp");
      }
      entry.put("origin", origin.equals("platform") ? "kcp" : origin);
      switch (Trees.textOrEmpty(rest.remove("kind"))) {
        case "Secret" -> entry.putAll(Map.of("version", "v1", "resource", "secrets"));
        case "ConfigMap" -> entry.putAll(Map.of("version", "v1", "resource", "configmaps"));
        case "" -> {
          // Named by group, version and resource already.
        }
        case String kind -> lost(field + ".kind", kind + ": use version and resource");
      }
      Object reference = rest.remove("reference");
      if (reference != null) {
        entry.put("object", object(field, reference));
      }
      entry.putAll(rest);
      return entry;
    }

    private String identifier(String field, Map<String, Object> entry, Set<String> used) {
      String given = Trees.textOrEmpty(entry.remove("identifier"));
      String base = given.isEmpty() ? Trees.text(entry, "kind").toLowerCase(Locale.ROOT) : given;
      String identifier = base;
      for (int i = 2; !used.add(identifier); i++) {
        identifier = base + "-" + i;
      }
      if (!identifier.equals(given)) {
        converted(field + ".identifier", "\"" + identifier + "\": each entry needs one");
      }
      return identifier;
    }

    private Map<String, Object> object(String field, Object reference) {
      var object = new LinkedHashMap<String, Object>();
      object.put("reference", reference(field + ".reference.name", Trees.at(reference, "name")));
      Object namespace = Trees.at(reference, "namespace");
      if (namespace != null) {
        object.put(
            "namespace", Map.of("reference", reference(field + ".reference.namespace", namespace)));
      }
      converted(field + ".reference", "is called object.reference");
      return object;
    }

    private Object reference(String field, @Nullable Object from) {
      var reference = new LinkedHashMap<String, Object>(Trees.mapOrEmpty(from));
      if (reference.containsKey("regex")) {
        reference.put("regex", regex(field + ".regex", reference.get("regex")));
      }
      return reference;
    }

    private void validate(KubeObject converted) {
      try {
        PublishedResource.read(converted);
      } catch (InvalidPublishedResource e) {
        lost("spec", "the agent refuses it: " + e.getMessage());
      }
    }

    private void converted(String field, String message) {
      notes.add(new Note(field, Note.Kind.CONVERTED, message));
    }

    private void lost(String field, String message) {
      notes.add(new Note(field, Note.Kind.NO_COUNTERPART, message));
    }

    private static void put(Map<String, Object> spec, String field, Map<String, Object> value) {
      if (!value.isEmpty()) {
        spec.put(field, value);
      }
    }
  }
}
