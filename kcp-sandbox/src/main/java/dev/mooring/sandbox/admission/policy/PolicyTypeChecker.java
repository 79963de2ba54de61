package dev.mooring.sandbox.admission.policy;

import static java.util.Comparator.comparing;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.AdmissionVariables;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import dev.mooring.sandbox.schema.rule.ObjectTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Checks a policy's expressions against the schemas of the resources that it names (apiserver
 * {@code pkg/admission/plugin/policy/validating/typechecking.go}).
 *
 * @param metadata the schema of every object's metadata
 */
record PolicyTypeChecker(ResourceCatalog catalog, Supplier<Map<String, Object>> metadata) {
  /** More kinds than these are not checked. */
  private static final int KINDS_MAX = 10;

  private static final String COMPILATION = "compilation failed: ";
  private static final Map<String, Object> TEXT = Map.of("type", "string");

  /** The {@code expressionWarnings} of the policy's status; empty if all types fit. */
  List<Map<String, Object>> warnings(KubeObject policy, LogicalCluster cluster) {
    List<ResourceDefinition> kinds = kinds(policy, cluster);
    var warnings = new ArrayList<Map<String, Object>>();
    if (kinds.isEmpty()) {
      return warnings;
    }
    Optional<ResourceDefinition> params =
        ParamKind.of(policy.at("spec", "paramKind"))
            .flatMap(kind -> Params.resource(catalog, cluster, kind));
    List<Checked> environments =
        kinds.stream().map(kind -> environment(policy, kind, params)).toList();
    List<Object> validations = policy.list("spec", "validations");
    for (int i = 0; i < validations.size(); i++) {
      for (String field : List.of("expression", "messageExpression")) {
        String source = Trees.text(validations.get(i), field);
        String warning = source.isEmpty() ? "" : warning(source, environments);
        if (!warning.isEmpty()) {
          var tree = new LinkedHashMap<String, Object>();
          tree.put("fieldRef", "spec.validations[" + i + "]." + field);
          tree.put("warning", warning);
          warnings.add(tree);
        }
      }
    }
    return warnings;
  }

  private record Checked(String kind, CelEnvironment environment) {}

  private static String warning(String source, List<Checked> environments) {
    var messages = new ArrayList<String>();
    for (Checked checked : environments) {
      try {
        CelExpression.compile(source, checked.environment(), CelExpression.Result.ANY);
      } catch (InvalidExpression e) {
        String message = String.valueOf(e.getMessage());
        messages.add(
            "%s: %s\n"
                .formatted(
                    checked.kind(),
                    message.startsWith(COMPILATION)
                        ? message.substring(COMPILATION.length())
                        : message));
      }
    }
    return String.join("\n", messages);
  }

  private Checked environment(
      KubeObject policy, ResourceDefinition kind, Optional<ResourceDefinition> params) {
    CelEnvironment base = AdmissionVariables.withAuthorizer(AdmissionVariables.MESSAGE);
    var types = new ObjectTypes(base.types());
    CelType object = types.add("object", whole(kind));
    CelEnvironment environment =
        base.with(types)
            .with(AdmissionVariables.OBJECT, object)
            .with(AdmissionVariables.OLD_OBJECT, object);
    if (policy.at("spec", "paramKind") != null) {
      environment =
          environment.with(
              AdmissionVariables.PARAMS,
              params.map(resource -> types.add("params", whole(resource))).orElse(SimpleType.DYN));
    }
    var name = new ParamKind(kind.type().group(), kind.type().version(), kind.kind()).toString();
    return new Checked(
        name, PolicyVariables.of(policy.at("spec", "variables"), environment).extend(environment));
  }

  /** The schema with what every object has. */
  private Map<String, Object> whole(ResourceDefinition kind) {
    var properties = new LinkedHashMap<>(Trees.map(kind.schema(), "properties"));
    properties.put("apiVersion", TEXT);
    properties.put("kind", TEXT);
    properties.put("metadata", metadata.get());
    var schema = new LinkedHashMap<>(kind.schema());
    schema.put("properties", properties);
    return schema;
  }

  /** Those that the policy names without wildcards and that have a schema, in Kubernetes' order. */
  private List<ResourceDefinition> kinds(KubeObject policy, LogicalCluster cluster) {
    var found = new LinkedHashMap<Object, ResourceDefinition>();
    for (Object rule : policy.list("spec", "matchConstraints", "resourceRules")) {
      List<String> groups = plain(rule, "apiGroups");
      List<String> versions = plain(rule, "apiVersions");
      List<String> resources =
          Trees.texts(Trees.at(rule, "resources")).stream()
              .filter(resource -> !resource.contains("*") && !resource.contains("/"))
              .toList();
      for (String group : groups) {
        for (String version : versions) {
          for (String resource : resources) {
            catalog
                .find(cluster, new ResourceType(group, version, resource))
                .filter(definition -> !definition.schema().isEmpty())
                .ifPresent(definition -> found.putIfAbsent(definition.type(), definition));
          }
        }
      }
    }
    Function<ResourceDefinition, String> group = definition -> definition.type().group();
    return found.values().stream()
        .sorted(
            comparing(group)
                .thenComparing(definition -> definition.type().version())
                .thenComparing(ResourceDefinition::kind))
        .limit(KINDS_MAX)
        .toList();
  }

  /** Empty if there is a wildcard. */
  private static List<String> plain(Object rule, String field) {
    List<String> values = Trees.texts(Trees.at(rule, field));
    return values.stream().anyMatch(value -> value.contains("*")) ? List.of() : values;
  }
}
