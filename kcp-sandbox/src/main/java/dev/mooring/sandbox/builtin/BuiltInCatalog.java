package dev.mooring.sandbox.builtin;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.admission.policy.PolicyBindingStrategy;
import dev.mooring.sandbox.admission.policy.PolicyStrategy;
import dev.mooring.sandbox.admission.webhook.WebhookConfigurationStrategy;
import dev.mooring.sandbox.api.registry.ComputedResource;
import dev.mooring.sandbox.api.registry.FixedCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Builder;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.ResourceStrategy.DeleteAnswer;
import dev.mooring.sandbox.api.registry.ResourceStrategy.Generation;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.builtin.core.ConfigMapStrategy;
import dev.mooring.sandbox.builtin.core.EventStrategy;
import dev.mooring.sandbox.builtin.core.EventVersion;
import dev.mooring.sandbox.builtin.core.LeaseStrategy;
import dev.mooring.sandbox.builtin.core.NamespaceStrategy;
import dev.mooring.sandbox.builtin.core.PartStrategy;
import dev.mooring.sandbox.builtin.core.RoleBindingStrategy;
import dev.mooring.sandbox.builtin.core.RoleStrategy;
import dev.mooring.sandbox.builtin.core.SecretStrategy;
import dev.mooring.sandbox.builtin.typed.GoTypes;
import dev.mooring.sandbox.builtin.typed.TypedDecoder;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The typed resources that kcp serves in every logical cluster. Immutable. */
public final class BuiltInCatalog extends FixedCatalog {
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String ADMISSION = "admissionregistration.k8s.io";
  private static final String STATUS = "status";
  private static final List<String> EVENT_FIELDS =
      List.of(
          "involvedObject.kind",
          "involvedObject.namespace",
          "involvedObject.name",
          "involvedObject.uid",
          "involvedObject.apiVersion",
          "involvedObject.resourceVersion",
          "involvedObject.fieldPath",
          "reason",
          "reportingComponent",
          "source",
          "type");

  private final GoTypes types = GoTypes.load();

  /**
   * @param tokens answers {@code serviceaccounts/token}
   */
  public BuiltInCatalog(ComputedResource tokens) {
    core(tokens);
    events();
    rbac();
    admission();
    define("coordination.k8s.io", "leases", "Lease", Scope.NAMESPACED, new LeaseStrategy());
    withStatus(
        "certificates.k8s.io",
        "certificatesigningrequests",
        "CertificateSigningRequest",
        Scope.CLUSTER,
        Generation.ABSENT,
        "csr");
  }

  private void core(ComputedResource tokens) {
    var whole = new NamespaceStrategy(NamespaceStrategy.Part.WHOLE);
    var status = new NamespaceStrategy(NamespaceStrategy.Part.STATUS);
    var finalize = new NamespaceStrategy(NamespaceStrategy.Part.FINALIZE);
    var verbs = EnumSet.complementOf(EnumSet.of(Verb.DELETECOLLECTION));
    add(
        builder(ResourceType.core("namespaces"), "Namespace", Scope.CLUSTER, "ns")
            .strategy(whole)
            .verbs(verbs)
            .fields(Map.of("status.phase", List.of(STATUS, "phase")))
            .subresource(STATUS, new Subresource.Part(status))
            .subresource("finalize", new Subresource.Part(finalize, EnumSet.of(Verb.UPDATE))));
    define(
        ResourceType.core("configmaps"),
        "ConfigMap",
        Scope.NAMESPACED,
        new ConfigMapStrategy(),
        "cm");
    add(
        builder(ResourceType.core("secrets"), "Secret", Scope.NAMESPACED)
            .strategy(new SecretStrategy())
            .fields(Map.of("type", List.of("type"))));
    ResourceStrategy answersObject =
        new ResourceStrategy() {
          @Override
          public DeleteAnswer deleteAnswer() {
            return DeleteAnswer.OBJECT;
          }
        };
    add(
        builder(ResourceType.core("serviceaccounts"), "ServiceAccount", Scope.NAMESPACED, "sa")
            .strategy(answersObject)
            .subresource(
                "token",
                new Subresource.Action("authentication.k8s.io", "v1", "TokenRequest", tokens)));
    withStatus("", "resourcequotas", "ResourceQuota", Scope.NAMESPACED, Generation.ABSENT, "quota");
  }

  private void events() {
    var fields = new LinkedHashMap<String, List<String>>();
    EVENT_FIELDS.forEach(field -> fields.put(field, List.of(field.split("\\."))));
    fields.put("source", List.of("source", "component"));
    add(
        builder(ResourceType.core("events"), "Event", Scope.NAMESPACED, "ev")
            .strategy(new EventStrategy(EventVersion.CORE))
            .fields(fields));
    var type = new ResourceType("events.k8s.io", "v1", "events");
    var newerFields = new LinkedHashMap<String, List<String>>();
    fields.forEach((field, path) ->
        newerFields.put(
            field,
            path.getFirst().equals("involvedObject")
                ? List.of("regarding", path.getLast())
                : path));
    add(
        builder(type, "events.k8s.io/Event", Scope.NAMESPACED, "ev")
            .resourceKey(ResourceKey.of("", "events"))
            .converter(EventVersion.EVENTS.converter())
            .strategy(new EventStrategy(EventVersion.EVENTS))
            .fields(newerFields));
  }

  private void rbac() {
    define(RBAC, "roles", "Role", Scope.NAMESPACED, new RoleStrategy());
    define(RBAC, "clusterroles", "ClusterRole", Scope.CLUSTER, new RoleStrategy());
    define(RBAC, "rolebindings", "RoleBinding", Scope.NAMESPACED, new RoleBindingStrategy());
    define(
        RBAC,
        "clusterrolebindings",
        "ClusterRoleBinding",
        Scope.CLUSTER,
        new RoleBindingStrategy());
  }

  private void admission() {
    define(
        ADMISSION,
        "validatingwebhookconfigurations",
        "ValidatingWebhookConfiguration",
        Scope.CLUSTER,
        WebhookConfigurationStrategy.validating());
    define(
        ADMISSION,
        "mutatingwebhookconfigurations",
        "MutatingWebhookConfiguration",
        Scope.CLUSTER,
        WebhookConfigurationStrategy.mutating());
    var status = new PartStrategy(PartStrategy.Part.STATUS, Generation.COUNTED);
    add(
        builder(
                new ResourceType(ADMISSION, "v1", "validatingadmissionpolicies"),
                "ValidatingAdmissionPolicy",
                Scope.CLUSTER)
            .strategy(new PolicyStrategy())
            .subresource(STATUS, new Subresource.Part(status)));
    define(
        ADMISSION,
        "validatingadmissionpolicybindings",
        "ValidatingAdmissionPolicyBinding",
        Scope.CLUSTER,
        new PolicyBindingStrategy());
  }

  private void withStatus(
      String group,
      String resource,
      String kind,
      Scope scope,
      Generation generation,
      String... shortNames) {
    var spec = new PartStrategy(PartStrategy.Part.SPEC, generation);
    var status = new PartStrategy(PartStrategy.Part.STATUS, generation);
    var type = new ResourceType(group, "v1", resource);
    add(
        builder(type, kind, scope, shortNames)
            .strategy(spec)
            .subresource(STATUS, new Subresource.Part(status)));
  }

  private void define(
      String group, String resource, String kind, Scope scope, ResourceStrategy rules) {
    define(new ResourceType(group, "v1", resource), kind, scope, rules);
  }

  private void define(
      ResourceType type, String kind, Scope scope, ResourceStrategy rules, String... shortNames) {
    add(builder(type, kind, scope, shortNames).strategy(rules));
  }

  /**
   * @param struct the Go type; the kind, in a group's package if need be
   */
  private Builder builder(ResourceType type, String struct, Scope scope, String... shortNames) {
    String kind = struct.substring(struct.indexOf('/') + 1);
    Map<String, Object> schema = types.schema(struct);
    return ResourceDefinition.define(
            type, ResourceNames.of(type.resource(), kind, shortNames), scope)
        .schema(schema)
        .decoder((body, context) -> TypedDecoder.decode(body, schema, context))
        .columns(Columns.of(type.resource()));
  }
}
