package dev.mooring.sandbox.builtin;

import static java.util.Map.entry;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.policy.MutatingPolicyStrategy;
import dev.mooring.sandbox.admission.policy.PolicyBindingStrategy;
import dev.mooring.sandbox.admission.policy.PolicyStrategy;
import dev.mooring.sandbox.admission.webhook.WebhookConfigurationStrategy;
import dev.mooring.sandbox.api.registry.FixedCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Builder;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.ResourceStrategy.Generation;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.builtin.core.ConfigMapStrategy;
import dev.mooring.sandbox.builtin.core.EventStrategy;
import dev.mooring.sandbox.builtin.core.LeaseStrategy;
import dev.mooring.sandbox.builtin.core.NamespaceStrategy;
import dev.mooring.sandbox.builtin.core.PartStrategy;
import dev.mooring.sandbox.builtin.core.ResourceQuotaStrategy;
import dev.mooring.sandbox.builtin.core.RoleBindingStrategy;
import dev.mooring.sandbox.builtin.core.RoleStrategy;
import dev.mooring.sandbox.builtin.core.SecretStrategy;
import dev.mooring.sandbox.builtin.core.ServiceAccountStrategy;
import dev.mooring.sandbox.builtin.typed.GoTypes;
import dev.mooring.sandbox.builtin.typed.TypedDecoder;
import dev.mooring.sandbox.builtin.workload.HorizontalPodAutoscalers;
import dev.mooring.sandbox.builtin.workload.WorkloadStrategy;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Typed resources that are served in every logical cluster: rows of a YAML table, each with the
 * rules by which it is written. Immutable.
 */
public final class BuiltInCatalog extends FixedCatalog {
  private static final String RBAC = ".v1.rbac.authorization.k8s.io";
  private static final String ADMISSION = ".v1.admissionregistration.k8s.io";
  private static final String STATUS = "status";

  /** Of what has no status. */
  private record Whole(Generation generation) implements ResourceStrategy {}

  private BuiltInCatalog(String file, GoTypes types, Map<String, UnaryOperator<Builder>> rules) {
    YamlText.resource(BuiltInCatalog.class, file)
        .forEach((type, row) ->
            add(rules.getOrDefault(type, UnaryOperator.identity()).apply(row(type, row, types))));
  }

  /**
   * What kcp serves.
   *
   * @param types with those of the resources
   * @param tokens is {@code serviceaccounts/token}
   */
  public static BuiltInCatalog core(GoTypes types, ResourceDefinition tokens) {
    return new BuiltInCatalog(
        "resources.yaml",
        types,
        Map.ofEntries(
            entry("namespaces.v1", BuiltInCatalog::namespaces),
            entry("configmaps.v1", by(new ConfigMapStrategy())),
            entry("secrets.v1", by(new SecretStrategy())),
            entry("serviceaccounts.v1", accounts -> serviceAccounts(accounts, tokens)),
            entry("resourcequotas.v1", parts(Generation.ABSENT, ResourceQuotaStrategy::new)),
            entry("events.v1", by(new EventStrategy(EventStrategy.Version.CORE))),
            entry("events.v1.events.k8s.io", BuiltInCatalog::newerEvents),
            entry("roles" + RBAC, by(new RoleStrategy())),
            entry("clusterroles" + RBAC, by(new RoleStrategy())),
            entry("rolebindings" + RBAC, by(new RoleBindingStrategy())),
            entry("clusterrolebindings" + RBAC, by(new RoleBindingStrategy())),
            entry(
                "validatingwebhookconfigurations" + ADMISSION,
                by(WebhookConfigurationStrategy.validating())),
            entry(
                "mutatingwebhookconfigurations" + ADMISSION,
                by(WebhookConfigurationStrategy.mutating())),
            entry("validatingadmissionpolicies" + ADMISSION, by(new PolicyStrategy())),
            entry(
                "validatingadmissionpolicybindings" + ADMISSION,
                by(PolicyBindingStrategy.validating())),
            entry("mutatingadmissionpolicies" + ADMISSION, by(new MutatingPolicyStrategy())),
            entry(
                "mutatingadmissionpolicybindings" + ADMISSION,
                by(PolicyBindingStrategy.mutating())),
            entry("leases.v1.coordination.k8s.io", by(new LeaseStrategy())),
            entry(
                "certificatesigningrequests.v1.certificates.k8s.io",
                BuiltInCatalog::signingRequests)));
  }

  /**
   * Workloads and what belongs to them, which plain Kubernetes serves and kcp does not. Nothing
   * runs them: their statuses are what clients write.
   */
  public static BuiltInCatalog workloads() {
    return new BuiltInCatalog(
        "workload-resources.yaml",
        GoTypes.loadWithWorkloads(),
        Map.of(
            "horizontalpodautoscalers.v1.autoscaling",
            first -> first.converter(HorizontalPodAutoscalers.V1)));
  }

  private static Builder row(String name, Object row, GoTypes types) {
    String[] parts = name.split("\\.", 3);
    var type = new ResourceType(parts.length < 3 ? "" : parts[2], parts[1], parts[0]);
    String kind = Trees.text(row, "kind");
    String struct = Trees.text(row, "struct");
    Map<String, Object> schema = types.schema(struct.isEmpty() ? kind : struct);
    var names =
        ResourceNames.of(
                type.resource(),
                kind,
                Trees.texts(Trees.at(row, "shortNames")).toArray(String[]::new))
            .inCategories(Trees.texts(Trees.at(row, "categories")).toArray(String[]::new));
    var fields = new LinkedHashMap<String, List<String>>();
    Trees.map(row, "fields")
        .forEach((field, path) -> fields.put(field, List.of(path.toString().split("\\."))));
    Builder definition =
        ResourceDefinition.define(type, names, Scope.valueOf(Trees.text(row, "scope")))
            .schema(schema)
            .decoder((body, context) -> TypedDecoder.decode(body, schema, context))
            .fields(fields)
            .columns(Columns.of(Trees.map(row, "columns")));
    if (Trees.at(row, "scale") != null) {
      definition.subresource(
          "scale", new Subresource.Scale(".spec.replicas", ".status.replicas", ""));
    }
    if (Trees.at(row, "whole") instanceof String generation) {
      return definition.strategy(
          WorkloadStrategy.of(row, new Whole(Generation.valueOf(generation))));
    }
    return Trees.at(row, STATUS) instanceof String generation
        ? parts(Generation.valueOf(generation), part -> WorkloadStrategy.of(row, part))
            .apply(definition)
        : definition;
  }

  private static UnaryOperator<Builder> by(ResourceStrategy strategy) {
    return definition -> definition.strategy(strategy);
  }

  /** Spec and status, each written by the rules that are given how it is kept apart. */
  private static <S extends ResourceStrategy> UnaryOperator<Builder> parts(
      Generation generation, Function<PartStrategy, S> rules) {
    S spec = rules.apply(new PartStrategy(PartStrategy.Part.SPEC, generation));
    S status = rules.apply(new PartStrategy(PartStrategy.Part.STATUS, generation));
    return definition ->
        definition.strategy(spec).subresource(STATUS, new Subresource.Part(status));
  }

  private static Builder namespaces(Builder definition) {
    var finalize = new NamespaceStrategy(NamespaceStrategy.Part.FINALIZE);
    return definition
        .strategy(new NamespaceStrategy(NamespaceStrategy.Part.WHOLE))
        .verbs(EnumSet.complementOf(EnumSet.of(Verb.DELETECOLLECTION)))
        .subresource(
            STATUS, new Subresource.Part(new NamespaceStrategy(NamespaceStrategy.Part.STATUS)))
        .subresource("finalize", new Subresource.Part(finalize, EnumSet.of(Verb.UPDATE)));
  }

  private static Builder serviceAccounts(Builder definition, ResourceDefinition tokens) {
    return definition
        .strategy(new ServiceAccountStrategy())
        .subresource("token", new Subresource.Action(tokens));
  }

  private static Builder signingRequests(Builder definition) {
    var status =
        new Subresource.Part(new PartStrategy(PartStrategy.Part.STATUS, Generation.ABSENT));
    return definition
        .strategy(new PartStrategy(PartStrategy.Part.SPEC, Generation.ABSENT))
        .subresource("approval", status)
        .subresource(STATUS, status);
  }

  private static Builder newerEvents(Builder definition) {
    return definition
        .strategy(new EventStrategy(EventStrategy.Version.EVENTS))
        .resourceKey(ResourceKey.of("", "events"))
        .converter(EventStrategy.Version.EVENTS.converter());
  }
}
