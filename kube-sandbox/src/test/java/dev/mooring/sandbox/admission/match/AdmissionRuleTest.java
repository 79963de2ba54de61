package dev.mooring.sandbox.admission.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionRuleTest {
  @ParameterizedTest(name = "{0} / {1} / {2}: {5} of {3} in \"{4}\" matches: {6}")
  @CsvSource({
    // operations, resources, scope, requested, namespace, operation, matches
    "CREATE, gizmos, *, gizmos, default, CREATE, true",
    "CREATE, gizmos, *, gizmos, default, UPDATE, false",
    "*, gizmos, *, gizmos, default, DELETE, true",
    "CREATE, others, *, gizmos, default, CREATE, false",
    "CREATE, *, *, gizmos, default, CREATE, true",
    "CREATE, *, *, gizmos/status, default, CREATE, false",
    "CREATE, */*, *, gizmos/status, default, CREATE, true",
    "CREATE, */*, *, gizmos, default, CREATE, true",
    "CREATE, gizmos/*, *, gizmos/status, default, CREATE, true",
    "CREATE, */status, *, gizmos/status, default, CREATE, true",
    "CREATE, */status, *, gizmos, default, CREATE, false",
    "CREATE, gizmos, Namespaced, gizmos, default, CREATE, true",
    "CREATE, gizmos, Namespaced, gizmos, '', CREATE, false",
    "CREATE, gizmos, Cluster, gizmos, '', CREATE, true",
    "CREATE, gizmos, Cluster, gizmos, default, CREATE, false",
  })
  void matches(
      String operations,
      String resources,
      String scope,
      String requested,
      String namespace,
      Operation operation,
      boolean matches) {
    AdmissionRule rule =
        AdmissionRule.of(
            KubeJson.read(
                """
                {"operations":["%s"],"apiGroups":["a.io"],"apiVersions":["v1"],
                 "resources":["%s"],"scope":"%s"}\
                """
                    .formatted(operations, resources, scope)));
    int slash = requested.indexOf('/');
    String resource = slash < 0 ? requested : requested.substring(0, slash);
    String subresource = slash < 0 ? "" : requested.substring(slash + 1);

    assertThat(
            rule.matches(
                operation, new ResourceType("a.io", "v1", resource), subresource, namespace))
        .isEqualTo(matches);
  }

  @ParameterizedTest(name = "groups {0}, versions {1}: {2}")
  @CsvSource({
    "a.io, v1, true",
    "b.io, v1, false",
    "*, v1, true",
    "a.io, v2, false",
    "a.io, *, true",
  })
  void matchesGroupAndVersion(String groups, String versions, boolean matches) {
    AdmissionRule rule =
        AdmissionRule.of(
            KubeJson.read(
                """
                {"operations":["*"],"apiGroups":["%s"],"apiVersions":["%s"],"resources":["*"]}\
                """
                    .formatted(groups, versions)));

    assertThat(
            rule.matches(Operation.CREATE, new ResourceType("a.io", "v1", "gizmos"), "", "default"))
        .isEqualTo(matches);
  }
}
