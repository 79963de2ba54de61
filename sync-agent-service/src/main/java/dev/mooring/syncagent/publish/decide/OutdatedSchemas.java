package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which of the agent's schemas of a type are of no use any more.
 *
 * @param deletable oldest first
 * @param stillUsed outdated, too many, and still in use somewhere: to be rechecked
 */
public record OutdatedSchemas(List<KubeObject> deletable, int stillUsed) {
  private static final Comparator<KubeObject> BY_AGE =
      Comparator.comparing((KubeObject schema) -> schema.text("metadata", "creationTimestamp"))
          .thenComparing(KubeObject::name);

  public OutdatedSchemas {
    deletable = List.copyOf(deletable);
  }

  /**
   * @param wanted the type's current schema, which is never outdated
   * @param schemas of the export's workspace
   * @param inUse names that an APIExport or an APIBinding refers to
   * @param keep how many outdated ones stay all the same, the youngest
   */
  public static OutdatedSchemas of(
      ProjectedSchema wanted, String agent, List<KubeObject> schemas, Set<String> inUse, int keep) {
    List<KubeObject> outdated =
        schemas.stream()
            .filter(schema -> agent.equals(schema.labels().get(SyncMarks.AGENT_NAME)))
            .filter(schema ->
                schema.text("spec", "group").equals(wanted.inKcp().resource().group())
                    && schema
                        .text("spec", "names", "plural")
                        .equals(wanted.inKcp().resource().resource()))
            .filter(schema -> !schema.name().equals(wanted.schemaName()) && !schema.deleting())
            .sorted(BY_AGE)
            .toList();
    List<KubeObject> surplus = outdated.subList(0, Math.max(0, outdated.size() - keep));
    List<KubeObject> deletable =
        surplus.stream().filter(schema -> !inUse.contains(schema.name())).toList();
    return new OutdatedSchemas(deletable, surplus.size() - deletable.size());
  }

  /**
   * Names of schemas that are in use.
   *
   * @param exports all of the workspace
   * @param bindings of the export, in all workspaces
   */
  public static Set<String> inUse(List<KubeObject> exports, List<KubeObject> bindings) {
    var names = new HashSet<String>();
    for (KubeObject export : exports) {
      export.list("spec", "resources").forEach(entry -> names.add(Trees.text(entry, "schema")));
    }
    for (KubeObject binding : bindings) {
      binding
          .list("status", "boundResources")
          .forEach(entry -> names.add(Trees.text(entry, "schema", "name")));
    }
    return names;
  }
}
