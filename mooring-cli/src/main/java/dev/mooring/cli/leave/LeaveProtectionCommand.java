package dev.mooring.cli.leave;

import com.google.common.base.Suppliers;
import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.demo.Types;
import dev.mooring.cli.leave.Step.Work;
import dev.mooring.cli.live.ExportConsumers;
import dev.mooring.cli.live.ExportConsumers.Seen;
import dev.mooring.cli.live.Lists;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.export.EndpointOverrides;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mooring leave protection}: exit status 1 as long as steps are left. */
@Command(
    name = "protection",
    description = {
      "Takes dependency protection out of all providers' workspaces, or out of one: rules, webhook"
          + " configurations, APIBindings, then the APIExport if asked for. Shows the steps; takes"
          + " them with --yes.",
      "No deletion fails meanwhile: the webhook has to run until the configurations are gone."
          + " Deleted rules do not come back; save them first. A run that was interrupted goes on"
          + " when run again."
    },
    footer = {
      "%nExamples:",
      "  mooring leave protection --context kcp --workspace root:dependencies",
      "  mooring leave protection --workspace root:dependencies --export-objects delete --yes",
      "  mooring leave protection --workspace root:dependencies --provider root:org:network --yes"
    })
final class LeaveProtectionCommand implements Callable<Integer> {
  @Option(
      names = "--export",
      paramLabel = "NAME",
      defaultValue = DependencyRule.GROUP,
      description = "The APIExport of DependencyRules (default: ${DEFAULT-VALUE}).")
  private String exportName;

  @Option(
      names = "--provider",
      paramLabel = "PATH",
      description = "Only this provider's workspace leaves.")
  private @Nullable String provider;

  @Option(
      names = "--export-objects",
      paramLabel = "CHOICE",
      description =
          "APIExport and its APIResourceSchemas: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).")
  private ExportObjects exportObjects = ExportObjects.keep;

  @Mixin private Departure departure;
  @Mixin private LiveOptions live;

  @Override
  public Integer call() {
    try (LiveOptions.Server kcp = live.server()) {
      return provider == null ? everywhere(kcp) : ofOne(kcp, path(provider));
    }
  }

  private static WorkspacePath path(String text) {
    try {
      return new WorkspacePath(text);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.badInput("--provider: " + e.getMessage());
    }
  }

  private int everywhere(LiveOptions.Server kcp) {
    KubeClient own = kcp.client();
    if (own.find(Types.API_EXPORTS, "", exportName).isEmpty()) {
      return gone(own);
    }
    var steps =
        new ArrayList<>(
            List.of(
                new Step(
                    "rules",
                    "delete",
                    () -> throughExport(kcp, DependencyRule.TYPE, DependencyRule.KIND, _ -> true),
                    "a finalizer holds the rules that are left; remove what waits for them"),
                new Step(
                    "webhook configurations",
                    "delete",
                    () ->
                        throughExport(
                            kcp,
                            Types.WEBHOOK_CONFIGURATIONS,
                            "ValidatingWebhookConfiguration",
                            object -> object.name().equals(GuardSettings.CONFIGURATION)),
                    "a controller writes them again, from rules that this user cannot see"),
                new Step(
                    "APIBindings",
                    "delete",
                    () -> bindings(kcp),
                    "kcp has not deleted the objects of these bindings yet")));
    if (exportObjects == ExportObjects.delete) {
      steps.add(
          new Step(
              "APIExport",
              "delete",
              () -> exportObjects(own),
              "a finalizer holds it; see kubectl get apiexport " + exportName + " -o yaml"));
    }
    return departure.carryOut(
        steps,
        List.of(
            "Left to do: helm uninstall the release; delete Namespaces dependency-system, dependency-races and"
                + " rbac-dependency-workspace.yaml in this workspace, rbac-parent-workspace.yaml in"
                + " parents, rbac-provider-workspace.yaml at providers, and"
                + " rbac-shard-system-admin.yaml in system:admin of every shard."));
  }

  /** After an earlier run, or in the wrong workspace. */
  private int gone(KubeClient own) {
    throw CommandFailure.badInput(
        "there is no APIExport %s at %s: it has left, or choose another --workspace"
            .formatted(exportName, own.url()));
  }

  /** The binding goes before the configuration: otherwise the controller would write it again. */
  private int ofOne(LiveOptions.Server kcp, WorkspacePath path) {
    KubeClient workspace = kcp.connection().client(path);
    requireWorkspace(workspace, path);
    Supplier<String> exporter = Suppliers.memoize(() -> exporter(kcp.client()));
    return departure.carryOut(
        List.of(
            new Step(
                "rules",
                "delete",
                () ->
                    works(
                        listed(workspace, DependencyRule.TYPE),
                        workspace,
                        DependencyRule.TYPE,
                        DependencyRule.KIND + "/"),
                "a finalizer holds the rules that are left; remove what waits for them"),
            new Step(
                "APIBinding",
                "delete",
                () ->
                    works(
                        listed(workspace, Types.API_BINDINGS).stream()
                            .filter(binding -> isOfExport(binding, kcp.client(), exporter))
                            .toList(),
                        workspace,
                        Types.API_BINDINGS,
                        "APIBinding/"),
                "kcp has not deleted the objects of the binding yet"),
            new Step(
                "webhook configuration",
                "delete",
                () ->
                    works(
                        listed(workspace, Types.WEBHOOK_CONFIGURATIONS).stream()
                            .filter(object -> object.name().equals(GuardSettings.CONFIGURATION))
                            .toList(),
                        workspace,
                        Types.WEBHOOK_CONFIGURATIONS,
                        "ValidatingWebhookConfiguration/"),
                "something writes it again; does the workspace bind the export twice?")),
        List.of(
            "Rules of others about this provider say ProviderNotBound from now on. Left to do:"
                + " delete rbac-provider-workspace.yaml in "
                + path
                + "."));
  }

  /** Every workspace serves APIBindings: without them there is nothing to leave. */
  private static void requireWorkspace(KubeClient workspace, WorkspacePath path) {
    try {
      workspace.list(Types.API_BINDINGS, ListQuery.ALL.withLimit(1));
    } catch (KubeFailure failure) {
      if (failure.isAbsent()) {
        throw CommandFailure.notFound(
            "there is no workspace %s; correct --provider".formatted(path));
      }
      throw failure;
    }
  }

  /**
   * @param exporter the logical cluster of the APIExport
   */
  private boolean isOfExport(KubeObject binding, KubeClient own, Supplier<String> exporter) {
    String path = binding.text("spec", "reference", "export", "path");
    return exportName.equals(binding.text("spec", "reference", "export", "name"))
        && (path.isEmpty()
            || own.url().toString().endsWith("/clusters/" + path)
            || binding.text("status", "apiExportClusterName").equals(exporter.get()));
  }

  private String exporter(KubeClient own) {
    return own.find(Types.API_EXPORTS, "", exportName)
        .flatMap(KubeObject::logicalCluster)
        .map(cluster -> cluster.name())
        .orElse("");
  }

  private ExportConsumers consumers(LiveOptions.Server kcp) {
    List<KubeObject> slices =
        listed(kcp.client(), Types.ENDPOINT_SLICES).stream()
            .filter(slice -> exportName.equals(slice.text("spec", "export", "name")))
            .toList();
    return ExportConsumers.of(kcp.connection(), slices, EndpointOverrides.NONE);
  }

  private List<Work> throughExport(
      LiveOptions.Server kcp, ResourceType type, String kind, Predicate<KubeObject> selected) {
    return consumers(kcp).list(type).stream()
        .filter(seen -> selected.test(seen.object()))
        .map(
            seen -> Work.deletion(kind + "/" + seen.title(), seen.workspace(), type, seen.object()))
        .toList();
  }

  /** Not through the export, which lets no one delete its bindings. */
  private List<Work> bindings(LiveOptions.Server kcp) {
    return consumers(kcp).list(Types.API_BINDINGS).stream()
        .map(Seen::object)
        .map(binding ->
            Work.deletion(
                "APIBinding/"
                    + binding.name()
                    + " in "
                    + binding
                        .annotation("kcp.io/path")
                        .or(() -> binding.logicalCluster().map(cluster -> cluster.name()))
                        .orElse(""),
                kcp.connection().client(binding.logicalCluster().orElseThrow()),
                Types.API_BINDINGS,
                binding))
        .toList();
  }

  private List<Work> exportObjects(KubeClient own) {
    var works = new ArrayList<Work>();
    own.find(Types.API_EXPORTS, "", exportName)
        .ifPresent(export -> {
          List<KubeObject> schemas = schemas(own, export);
          works.add(
              new Work(
                  "APIExport/" + exportName,
                  () -> {
                    // The schemas go first: only the export names them.
                    schemas.forEach(schema -> Work.delete(own, Types.API_RESOURCE_SCHEMAS, schema));
                    Work.delete(own, Types.API_EXPORTS, export);
                  }));
          schemas.forEach(schema -> works.add(Work.awaited("APIResourceSchema/" + schema.name())));
        });
    return works;
  }

  private static List<KubeObject> schemas(KubeClient own, KubeObject export) {
    return export.list("spec", "resources").stream()
        .flatMap(
            entry -> own.find(Types.API_RESOURCE_SCHEMAS, "", Trees.text(entry, "schema")).stream())
        .toList();
  }

  private static List<Work> works(
      List<KubeObject> objects, KubeClient workspace, ResourceType type, String prefix) {
    return objects.stream()
        .map(object -> Work.deletion(prefix + object.name(), workspace, type, object))
        .toList();
  }

  /** A type that is not served has no objects. */
  private static List<KubeObject> listed(KubeClient workspace, ResourceType type) {
    try {
      return Lists.all(workspace, type, ListQuery.ALL);
    } catch (KubeFailure failure) {
      if (failure.isAbsent()) {
        return List.of();
      }
      throw failure;
    }
  }
}
