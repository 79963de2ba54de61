package dev.mooring.model.dependency;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What authority is judged by in an APIExport.
 *
 * @param path of its workspace, as kcp says; empty if kcp does not
 * @param identityHash of what it exports; empty until kcp has made one
 * @param claims what it may see of its consumers' other resources, if they accept
 * @param allowedDependents {@code <workspace path>:<export>} of those whose objects may refer to
 *     what it exports; empty if all may
 * @param schemas names of the APIResourceSchemas in its workspace that say how types look; a type
 *     may lack one
 */
public record ExportFacts(
    String path,
    String identityHash,
    SortedSet<GroupResource> exports,
    SortedSet<GroupResource> claims,
    Optional<SortedSet<String>> allowedDependents,
    SortedMap<GroupResource, String> schemas) {
  public static final ResourceType TYPE = new ResourceType("apis.kcp.io", "v1alpha2", "apiexports");

  /** On an APIExport: who may refer to what it exports; see {@link #allowedDependents}. */
  public static final String ALLOWED_DEPENDENTS = DependencyRule.GROUP + "/allowed-dependents";

  private static final String PATH_ANNOTATION = "kcp.io/path";

  public ExportFacts {
    exports = Collections.unmodifiableSortedSet(new TreeSet<>(exports));
    claims = Collections.unmodifiableSortedSet(new TreeSet<>(claims));
    allowedDependents =
        allowedDependents.map(allowed -> Collections.unmodifiableSortedSet(new TreeSet<>(allowed)));
    schemas = Collections.unmodifiableSortedMap(new TreeMap<>(schemas));
  }

  /** Of an export in either version of its API. */
  public static ExportFacts of(KubeObject export) {
    var exports = new TreeSet<GroupResource>();
    var schemas = new TreeMap<GroupResource, String>();
    for (Object entry : export.list("spec", "resources")) {
      add(exports, Trees.at(entry, "group"), Trees.at(entry, "name"));
      String schema = Trees.text(entry, "schema");
      String resource = Trees.text(entry, "name");
      if (!schema.isEmpty() && !resource.isEmpty()) {
        schemas.put(new GroupResource(Trees.text(entry, "group"), resource), schema);
      }
    }
    for (Object schema : export.list("spec", "latestResourceSchemas")) {
      // Such as v1.vpcs.network.example.com: a prefix without a dot, then the resource.
      String name = Trees.textOrEmpty(schema);
      int dot = name.indexOf('.');
      if (dot >= 0 && dot < name.length() - 1) {
        GroupResource type = GroupResource.parse(name.substring(dot + 1));
        exports.add(type);
        schemas.put(type, name);
      }
    }
    var claims = new TreeSet<GroupResource>();
    export
        .list("spec", "permissionClaims")
        .forEach(claim -> add(claims, Trees.at(claim, "group"), Trees.at(claim, "resource")));
    return new ExportFacts(
        export.annotation(PATH_ANNOTATION).orElse(""),
        export.text("status", "identityHash"),
        exports,
        claims,
        export.annotation(ALLOWED_DEPENDENTS).map(ExportFacts::allowed),
        schemas);
  }

  /** The path of its workspace, as kcp says; empty if kcp does not, or says what is no path. */
  public static Optional<WorkspacePath> workspaceOf(KubeObject export) {
    try {
      return export.annotation(PATH_ANNOTATION).map(WorkspacePath::new);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static void add(
      SortedSet<GroupResource> set, @Nullable Object group, @Nullable Object resource) {
    String name = Trees.textOrEmpty(resource);
    if (!name.isEmpty()) {
      set.add(new GroupResource(Trees.textOrEmpty(group), name));
    }
  }

  private static SortedSet<String> allowed(String list) {
    var allowed = new TreeSet<String>();
    Arrays.stream(list.split(","))
        .map(String::strip)
        .filter(s -> !s.isEmpty())
        .forEach(allowed::add);
    return allowed;
  }
}
