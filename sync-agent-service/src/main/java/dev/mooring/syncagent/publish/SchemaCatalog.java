package dev.mooring.syncagent.publish;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.syncagent.publish.decide.OutdatedSchemas;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Finds the schemas that no APIExport and no APIBinding uses. Thread-safe.
 *
 * @param consumers one for each endpoint of the export's virtual workspace
 */
public record SchemaCatalog(Supplier<List<KubeReader>> consumers) {
  OutdatedSchemas outdated(KubeReader workspace, ProjectedSchema wanted, String agent, int keep) {
    List<KubeObject> schemas =
        all(
            workspace,
            ProjectedSchema.TYPE,
            ListQuery.ALL.withLabels(SyncMarks.AGENT_NAME + "=" + agent));
    List<KubeObject> exports = all(workspace, ExportWorkspace.EXPORTS, ListQuery.ALL);
    var bindings = new ArrayList<KubeObject>();
    for (KubeReader everyWorkspace : consumers.get()) {
      bindings.addAll(all(everyWorkspace, ExportView.BINDINGS, ListQuery.ALL));
    }
    return OutdatedSchemas.of(
        wanted, agent, schemas, OutdatedSchemas.inUse(exports, bindings), keep);
  }

  private static List<KubeObject> all(KubeReader reader, ResourceType type, ListQuery query) {
    var items = new ArrayList<KubeObject>();
    KubeList page = reader.list(type, query);
    items.addAll(page.items());
    while (!page.continueToken().isEmpty()) {
      page = reader.list(type, query.after(page.continueToken()));
      items.addAll(page.items());
    }
    return items;
  }
}
