package dev.mooring.cli.leave;

import com.google.common.base.Suppliers;
import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.leave.Step.Work;
import dev.mooring.cli.live.ExportConsumers;
import dev.mooring.cli.live.ExportConsumers.Seen;
import dev.mooring.cli.live.Lists;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.live.Types;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.export.EndpointOverrides;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
  private Choice exportObjects = Choice.keep;

  @Mixin private Departure departure;
  @Mixin private LiveOptions live;

  @Override
  public Integer call() {
    try (LiveOptions.Server kcp = live.server()) {
      return provider == null ? everywhere(kcp) : ofOne(kcp, path(provider));
    }
  }

  private static WorkspacePath path(String text) {
    return LiveOptions.usable("--provider: ", () -> new WorkspacePath(text));
  }

  private int everywhere(LiveOptions.Server kcp) {
    KubeClient own = kcp.client();
    if (own.find(Types.API_EXPORTS, "", exportName).isEmpty()) {
      // After an earlier run, or in the wrong workspace.
      throw CommandFailure.badInput(
          "there is no APIExport %s at %s: it has left, or choose another --workspace"
              .formatted(exportName, own.url()));
    }
    Objects all = type -> consumers(kcp).list(type).stream();
    var steps =
        new ArrayList<>(List.of(rules(all), configurations(all), bindings(() -> bindings(kcp))));
    if (exportObjects == Choice.delete) {
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
            "Left to do: helm uninstall the release; delete Namespaces dependency-system,"
                + " dependency-races and rbac-dependency-workspace.yaml in this workspace,"
                + " rbac-parent-workspace.yaml in parents, rbac-provider-workspace.yaml at"
                + " providers, and rbac-shard-system-admin.yaml in system:admin of every shard."));
  }

  /** The binding goes before the configuration: otherwise the controller would write it again. */
  private int ofOne(LiveOptions.Server kcp, WorkspacePath path) {
    KubeClient workspace = kcp.connection().client(path);
    requireWorkspace(workspace, path);
    Supplier<String> exporter = Suppliers.memoize(() -> exporter(kcp.client()));
    Objects own = type -> Step.at(workspace, type, ListQuery.ALL);
    return departure.carryOut(
        List.of(
            rules(own),
            bindings(() ->
                own.of(Types.API_BINDINGS)
                    .filter(seen -> isOfExport(seen.object(), kcp.client(), exporter))),
            configurations(own)),
        List.of(
            "Rules of others about this provider say ProviderNotBound from now on. Left to do:"
                + " delete rbac-provider-workspace.yaml in "
                + path
                + "."));
  }

  /** Reads objects of a type, of one provider or of all. */
  private interface Objects {
    Stream<Seen> of(ResourceType type);
  }

  private static Step rules(Objects objects) {
    return Step.deletion(
        "rules",
        DependencyRule.KIND,
        DependencyRule.TYPE,
        () -> objects.of(DependencyRule.TYPE),
        "a finalizer holds the rules that are left; remove what waits for them");
  }

  private static Step configurations(Objects objects) {
    return Step.deletion(
        "webhook configurations",
        "ValidatingWebhookConfiguration",
        Types.WEBHOOK_CONFIGURATIONS,
        () ->
            objects
                .of(Types.WEBHOOK_CONFIGURATIONS)
                .filter(seen -> seen.object().name().equals(GuardSettings.CONFIGURATION)),
        "a controller writes them again: from rules that this user cannot see, or because the"
            + " workspace binds the export twice");
  }

  private static Step bindings(Supplier<Stream<Seen>> left) {
    return Step.deletion(
        "APIBindings",
        "APIBinding",
        Types.API_BINDINGS,
        left,
        "kcp has not deleted the objects of these bindings yet");
  }

  /** Every workspace serves APIBindings: without them there is nothing to leave. */
  private static void requireWorkspace(KubeClient workspace, WorkspacePath path) {
    if (Lists.ifServed(workspace, Types.API_BINDINGS, ListQuery.ALL).isEmpty()) {
      throw CommandFailure.notFound("there is no workspace %s; correct --provider".formatted(path));
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
        Step.at(kcp.client(), Types.ENDPOINT_SLICES, ListQuery.ALL)
            .map(Seen::object)
            .filter(slice -> exportName.equals(slice.text("spec", "export", "name")))
            .toList();
    return ExportConsumers.of(kcp.connection(), slices, EndpointOverrides.NONE);
  }

  /** Not through the export, which lets no one delete its bindings. */
  private Stream<Seen> bindings(LiveOptions.Server kcp) {
    return consumers(kcp).list(Types.API_BINDINGS).stream()
        .map(Seen::object)
        .map(binding ->
            new Seen(binding, kcp.connection().client(binding.logicalCluster().orElseThrow())));
  }

  /** The schemas go first: only the export names them. */
  private List<Work> exportObjects(KubeClient own) {
    return own.find(Types.API_EXPORTS, "", exportName).stream()
        .flatMap(export ->
            Stream.concat(
                export.list("spec", "resources").stream()
                    .map(entry -> Trees.text(entry, "schema"))
                    .flatMap(name -> work(own, Types.API_RESOURCE_SCHEMAS, name).stream()),
                work(own, Types.API_EXPORTS, exportName).stream()))
        .toList();
  }

  private static Optional<Work> work(KubeClient own, ResourceType type, String name) {
    return own.find(type, "", name)
        .map(object ->
            new Work(object.kind() + "/" + name, () -> Step.delete(type, new Seen(object, own))));
  }
}
