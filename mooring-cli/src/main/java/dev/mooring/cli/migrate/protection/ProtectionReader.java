package dev.mooring.cli.migrate.protection;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.demo.Types;
import dev.mooring.cli.live.ExportConsumers;
import dev.mooring.cli.live.ExportConsumers.Seen;
import dev.mooring.cli.live.Lists;
import dev.mooring.depcontroller.rules.decide.ExportKey;
import dev.mooring.depcontroller.rules.decide.Participants;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRuleReader;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.access.DependencyWorkspace;
import dev.mooring.runtime.access.RightsReviewer;
import dev.mooring.runtime.access.RightsReviewer.Need;
import dev.mooring.runtime.access.RightsReviewer.Right;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.EndpointOverrides;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Gathers the facts with the controller's own kubeconfig, by reads alone. */
final class ProtectionReader {
  private static final String MANIFESTS = "charts/mooring/kcp/";

  private final ProtectionFlags flags;
  private final KubeConnection kcp;
  private final Map<WorkspacePath, List<KubeObject>> workspaces = new HashMap<>();

  ProtectionReader(ProtectionFlags flags, KubeConnection kcp) {
    this.flags = flags;
    this.kcp = kcp;
  }

  ProtectionFacts read() {
    KubeClient own = kcp.client();
    var consumers =
        ExportConsumers.of(
            kcp,
            Lists.all(own, Types.ENDPOINT_SLICES, ListQuery.ALL).stream()
                .filter(slice -> flags.export().equals(slice.text("spec", "export", "name")))
                .toList(),
            EndpointOverrides.NONE);
    if (consumers.urls().isEmpty()) {
      throw CommandFailure.badInput(
          "no APIExportEndpointSlice of %s at %s has an endpoint; correct --kubeconfig or --api-export-name"
              .formatted(flags.export(), own.url()));
    }
    List<KubeObject> bindings = objects(consumers.list(Types.API_BINDINGS));
    List<KubeObject> rules = objects(consumers.list(DependencyRule.TYPE));
    var configurations = new TreeMap<LogicalCluster, List<KubeObject>>();
    for (KubeObject found : objects(consumers.list(Types.WEBHOOK_CONFIGURATIONS))) {
      found
          .logicalCluster()
          .ifPresent(cluster ->
              configurations.computeIfAbsent(cluster, _ -> new ArrayList<>()).add(found));
    }
    ResolvedRules resolved = resolved(rules, bindings);
    byte[] bundle = flags.caBundle().map(ProtectionReader::bytes).orElse(new byte[0]);
    return new ProtectionFacts(
        flags,
        resolved,
        schema(bindings),
        bindings,
        configurations,
        certificates(bundle),
        Base64.getEncoder().encodeToString(bundle),
        flags.webhookUrl().map(url -> WebhookProbe.ask(usable(url), bundle)),
        missing(own, resolved));
  }

  private static List<KubeObject> objects(List<Seen> seen) {
    return seen.stream().map(Seen::object).toList();
  }

  /** As workspaces bind it: the controller's user need not see the APIExport. */
  private static String schema(List<KubeObject> bindings) {
    return bindings.stream()
        .flatMap(binding -> binding.list("status", "boundResources").stream())
        .filter(bound -> DependencyRule.TYPE.resource().equals(Trees.at(bound, "resource")))
        .map(bound -> Trees.text(bound, "schema", "name"))
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private ResolvedRules resolved(List<KubeObject> objects, List<KubeObject> bindings) {
    List<RuleReading> readings = objects.stream().map(DependencyRuleReader::read).toList();
    List<DependencyRule> valid = RuleReading.valid(readings);
    var resolutions = new TreeMap<WorkspacePath, Resolution>();
    for (DependencyRule rule : valid) {
      rule.dependencies()
          .forEach(
              dependency -> resolutions.computeIfAbsent(dependency.export().path(), this::resolve));
    }
    var exports = new HashMap<ExportKey, ExportReading>();
    var paths = new HashMap<LogicalCluster, WorkspacePath>();
    for (KubeObject binding : bindings) {
      ExportFacts.workspaceOf(binding)
          .ifPresent(
              path -> binding.logicalCluster().ifPresent(cluster -> paths.put(cluster, path)));
    }
    for (DependencyRule rule : valid) {
      exports.computeIfAbsent(
          new ExportKey(rule.key().cluster(), rule.dependent().apiExportName()), this::export);
      rule.dependencies()
          .forEach(dependency -> {
            if (resolutions.get(dependency.export().path())
                instanceof Resolution.Known(var cluster)) {
              exports.computeIfAbsent(
                  new ExportKey(cluster, dependency.export().name()), this::export);
            }
          });
    }
    return new ResolvedRules(
        readings, resolutions, exports, Map.of(), paths, Participants.of(bindings));
  }

  private Resolution resolve(WorkspacePath path) {
    Optional<WorkspacePath> parent = path.parent();
    if (parent.isEmpty()) {
      // A root's logical cluster has the name of its path.
      return new Resolution.Known(new LogicalCluster(path.value()));
    }
    try {
      return workspaces
          .computeIfAbsent(
              parent.get(), at -> Lists.all(client(at), Types.WORKSPACES, ListQuery.ALL))
          .stream()
          .filter(workspace -> workspace.name().equals(path.name()))
          .map(workspace -> workspace.text("spec", "cluster"))
          .filter(cluster -> !cluster.isEmpty())
          .findFirst()
          .<Resolution>map(cluster -> new Resolution.Known(new LogicalCluster(cluster)))
          .orElseGet(() ->
              new Resolution.Absent(
                  "there is no workspace " + path + ": create it, or correct apiExportRef.path"));
    } catch (KubeFailure failure) {
      return new Resolution.Unknown(
          "the workspaces in "
              + parent.get()
              + " cannot be listed: "
              + failure.said()
              + "; apply "
              + MANIFESTS
              + "rbac-parent-workspace.yaml there");
    }
  }

  private ExportReading export(ExportKey key) {
    try {
      return client(key.cluster())
          .find(ExportFacts.TYPE, "", key.name())
          .<ExportReading>map(export -> new ExportReading.Found(ExportFacts.of(export)))
          .orElseGet(ExportReading.Absent::new);
    } catch (KubeFailure failure) {
      return new ExportReading.Unreadable(
          "the APIExports in logical cluster "
              + key.cluster()
              + " cannot be read: "
              + failure.said()
              + "; apply "
              + MANIFESTS
              + "rbac-provider-workspace.yaml there");
    }
  }

  private KubeClient client(WorkspacePath path) {
    return flags.baseHost().isEmpty() ? kcp.client(path) : at(path.value());
  }

  private KubeClient client(LogicalCluster cluster) {
    return flags.baseHost().isEmpty() ? kcp.client(cluster) : at(cluster.name());
  }

  private KubeClient at(String cluster) {
    return kcp.client(URI.create(flags.baseHost() + "/clusters/" + cluster));
  }

  private List<String> missing(KubeClient own, ResolvedRules rules) {
    var workspace = new DependencyWorkspace(flags.export(), own);
    var needs = new ArrayList<Need>();
    needs.add(
        workspace.following(
            workspace.content("create"),
            workspace.content("update"),
            workspace.content("get"),
            workspace.content("delete")));
    needs.add(workspace.leases(flags.leaseNamespace(), "get", "create", "update"));
    needs.add(workspace.secrets(flags.leaseNamespace(), "", "create"));
    var providers = new TreeSet<>(rules.participating());
    for (WorkspacePath provider : providers) {
      provider
          .parent()
          .ifPresent(parent ->
              needs.add(
                  need(parent, "tenancy.kcp.io", "workspaces", "rbac-parent-workspace.yaml")));
      needs.add(need(provider, "apis.kcp.io", "apiexports", "rbac-provider-workspace.yaml"));
    }
    var missing = new ArrayList<String>();
    for (Need need : needs) {
      try {
        RightsReviewer.missing(need).ifPresent(missing::add);
      } catch (KubeFailure failure) {
        missing.add("rights in " + need.place() + " cannot be reviewed: " + failure.said());
      }
    }
    return missing.stream().distinct().toList();
  }

  private Need need(WorkspacePath path, String group, String resource, String manifest) {
    return new Need(
        "workspace " + path,
        client(path),
        List.of(Right.to("list", group, resource), Right.to("watch", group, resource)),
        MANIFESTS + manifest);
  }

  private static URI usable(String url) {
    try {
      URI usable = URI.create(url);
      if ("https".equals(usable.getScheme()) && usable.getHost() != null) {
        return usable;
      }
    } catch (IllegalArgumentException e) {
      // As any other URL that kcp cannot call.
    }
    throw CommandFailure.badInput(
        "--webhook-url: " + url + " is no URL as https://host:9443/validate");
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw CommandFailure.badInput("--webhook-ca-bundle-path: " + file + " cannot be read");
    }
  }

  private List<X509Certificate> certificates(byte[] pem) {
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(pem))
          .stream()
          .map(X509Certificate.class::cast)
          .toList();
    } catch (CertificateException e) {
      throw CommandFailure.badInput(
          "--webhook-ca-bundle-path: "
              + flags.caBundle().map(Path::toString).orElse("")
              + " holds no PEM certificates");
    }
  }
}
