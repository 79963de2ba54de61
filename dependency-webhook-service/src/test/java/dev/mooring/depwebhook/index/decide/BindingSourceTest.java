package dev.mooring.depwebhook.index.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BindingSourceTest {
  @Test
  void isWhatABindingSaysOfTheType() {
    assertThat(
            BindingSource.among(
                List.of(
                    binding("network", "n", entry("vpcs", "sv", "iv")),
                    binding("compute", "c", entry("gateways", "sg", "i"), machines("s1", "i1"))),
                MACHINES))
        .isEqualTo(new BindingSource("compute", "7"));
  }

  /**
   * kcp writes the binding when schema or identity change. A watch may have begun, or a list been
   * answered, between two changes that cancel each other out.
   */
  @Test
  void isAnotherAfterAnyWriteOfTheBindingAndForAnotherBinding() {
    KubeObject before = binding("compute", "c", machines("s1", "i1"));

    assertThat(
            List.of(
                of(before),
                of(before.with("9", "metadata", "resourceVersion")),
                of(binding("renamed", "c", machines("s1", "i1"))),
                BindingSource.NONE))
        .doesNotHaveDuplicates();
  }

  @Test
  void isNoneWhereNoBindingHasTheType() {
    assertThat(BindingSource.among(List.of(), MACHINES)).isEqualTo(BindingSource.NONE);
    assertThat(of(binding("compute", "c"))).isEqualTo(BindingSource.NONE);
    assertThat(of(binding("compute", "c", entry("gateways", "s", "i"))))
        .isEqualTo(BindingSource.NONE);
    assertThat(
            of(
                binding(
                    "compute",
                    "c",
                    Map.of("group", "other.example.com", "resource", "virtualmachines"))))
        .isEqualTo(BindingSource.NONE);
  }

  @Test
  void survivesWhatIsNoBindingsStatus() {
    assertThat(of(binding("compute", "c", "text", List.of(), 7))).isEqualTo(BindingSource.NONE);
    assertThat(of(KubeObject.of(Map.of("status", "none")))).isEqualTo(BindingSource.NONE);
    assertThat(
            of(
                binding(
                    "compute",
                    "c",
                    Map.of("group", MACHINES.group(), "resource", MACHINES.resource()))))
        .isEqualTo(new BindingSource("compute", "7"));
  }

  private static BindingSource of(KubeObject binding) {
    return BindingSource.among(List.of(binding), MACHINES);
  }

  private static KubeObject binding(String name, String uid, Object... bound) {
    return KubeObject.of(
        Map.of(
            "metadata", Map.of("name", name, "uid", uid, "resourceVersion", "7"),
            "status", Map.of("boundResources", List.of(bound))));
  }

  private static Map<String, Object> machines(String schema, String identity) {
    return entry(MACHINES.resource(), schema, identity);
  }

  private static Map<String, Object> entry(String resource, String schema, String identity) {
    return Map.of(
        "group", MACHINES.group(),
        "resource", resource,
        "schema", Map.of("UID", schema, "identityHash", identity));
  }
}
