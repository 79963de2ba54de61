package dev.mooring.syncagent.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.languages.Hashes;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamePatternTest {
  private static final LogicalCluster CLUSTER = new LogicalCluster("testcluster");

  @Test
  void defaultsToHashesOfNamespaceAndName() {
    assertThat(render(NamePattern.DEFAULT_NAME, object("objnamespace", "objname")))
        .isEqualTo("2928c2aa0e510f017f07-73d08a1ba188f1340dae");
    assertThat(render(NamePattern.DEFAULT_NAMESPACE, object("objnamespace", "objname")))
        .isEqualTo("testcluster");
  }

  @Test
  void defaultWorksOnClusterScopedObjects() {
    assertThat(render(NamePattern.DEFAULT_NAME, object("", "objname")))
        .isEqualTo(Hashes.sha3("").substring(0, 20) + "-73d08a1ba188f1340dae");
  }

  @ParameterizedTest
  @CsvSource({
    "fixed, fixed",
    "foo-$remoteClusterName, foo-testcluster",
    "$remoteNamespace-$remoteName, objnamespace-objname",
    "$remoteNamespaceHash-$remoteNameHash, " + "e75ee3d444e238331f6a-8b09d63c82efb771a2c5",
    "foobar-$remoteName, foobar-objname",
    "$remoteNamespace, objnamespace",
    "{{ .ClusterPath }}, root:org",
    "{{ .ClusterPath }}-{{ .Object.metadata.name }}, root:org-objname",
    "{{ .Object.metadata.namespace | shortHash }}-{{ .Object.metadata.name | shortHash }}, "
        + "e75ee3d444e238331f6a-8b09d63c82efb771a2c5"
  })
  void fillsPlaceholdersAndFields(String pattern, String expected) {
    assertThat(
            NamePattern.compile(pattern, "spec.naming.name")
                .render(object("objnamespace", "objname"), CLUSTER, Optional.of("root:org")))
        .isEqualTo(expected);
  }

  @Test
  void namesTheFieldOfABadTemplate() {
    assertThatThrownBy(() -> NamePattern.compile("{{ .Nope }}", "spec.naming.name"))
        .isInstanceOf(InvalidPublishedResource.class)
        .hasMessageStartingWith("spec.naming.name: unknown field .Nope");
  }

  private static String render(NamePattern pattern, KubeObject source) {
    return pattern.render(source, CLUSTER, Optional.empty());
  }

  private static KubeObject object(String namespace, String name) {
    return KubeObject.of(
        Map.of(
            "metadata",
            namespace.isEmpty()
                ? Map.of("name", name)
                : Map.of("name", name, "namespace", namespace)));
  }
}
