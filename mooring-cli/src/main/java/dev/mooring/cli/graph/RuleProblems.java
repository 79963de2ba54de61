package dev.mooring.cli.graph;

import dev.mooring.cli.manifest.Manifest;
import dev.mooring.cli.published.Publications;
import dev.mooring.cli.status.ObjectStatus;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.FieldFindings;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Why dependencies of a rule do not protect as they should: by the schemas among the manifests, and
 * by the status of a rule that a server has.
 *
 * @param dependencies by their position
 * @param rule about all others
 */
record RuleProblems(Map<Integer, String> dependencies, Optional<String> rule) {
  static RuleProblems of(Manifest.Parsed manifest, DependencyRule rule, Publications publications) {
    KubeObject object = manifest.object();
    FieldFindings fields =
        publications
            .schema(rule.dependent().type())
            .map(schema -> FieldFindings.of(rule, schema))
            .orElse(FieldFindings.NONE);
    if (object.uid().isEmpty()) {
      return new RuleProblems(
          fields.references(), fields.when().or(() -> rule.problems().stream().findFirst()));
    }
    var dependencies = new TreeMap<>(fields.references());
    List<Object> states = object.list("status", "dependencies");
    for (int i = 0; i < states.size(); i++) {
      String state = Trees.text(states.get(i), "state");
      if (!state.equals("Installed")) {
        dependencies.put(i, state + ": " + Trees.text(states.get(i), "message"));
      }
    }
    ObjectStatus status = ObjectStatus.of(object);
    boolean ofAll =
        dependencies.isEmpty()
            || status.condition().equals("Accepted")
                && !status.reason().equals(FieldFindings.NOT_IN_SCHEMA);
    return new RuleProblems(
        dependencies,
        ofAll && status.state().isProblem()
            ? Optional.of(status.reason() + ": " + status.message())
            : Optional.empty());
  }

  String of(int dependency) {
    return dependencies.getOrDefault(dependency, rule.orElse(""));
  }
}
