package dev.mooring.depwebhook.index.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OriginTest {
  @Test
  void isWhatABindingSaysOfTheType() {
    assertThat(
            Origin.among(
                List.of(
                    binding("network", "n", entry("vpcs", "sv", "iv")),
                    binding("compute", "c", entry("gateways", "sg", "i"), machines("s1", "i1"))),
                MACHINES))
        .isEqualTo(new Origin.Bound("compute", "c", "s1", "i1", "7"));
  }

  @Test
  void isAnotherWithAnotherSchemaIdentityOrBinding() {
    assertThat(
            List.of(
                of(binding("compute", "c", machines("s1", "i1"))),
                of(binding("compute", "c", machines("s2", "i1"))),
                of(binding("compute", "c", machines("s1", "i2"))),
                of(binding("compute", "made anew", machines("s1", "i1"))),
                of(binding("renamed", "c", machines("s1", "i1"))),
                new Origin.Unbound()))
        .doesNotHaveDuplicates();
  }

  /** In between a watch may have begun, or a list been read, by another schema. */
  @Test
  void isAnotherWhereTheBindingHasMovedAndComeBack() {
    KubeObject before = binding("compute", "c", machines("s1", "i1"));

    assertThat(of(before.with("9", "metadata", "resourceVersion"))).isNotEqualTo(of(before));
  }

  @Test
  void isNoneWhereNoBindingHasTheType() {
    assertThat(Origin.among(List.of(), MACHINES)).isEqualTo(new Origin.Unbound());
    assertThat(of(binding("compute", "c"))).isEqualTo(new Origin.Unbound());
    assertThat(of(binding("compute", "c", entry("gateways", "s", "i"))))
        .isEqualTo(new Origin.Unbound());
    assertThat(
            of(
                binding(
                    "compute",
                    "c",
                    Map.of("group", "other.example.com", "resource", "virtualmachines"))))
        .isEqualTo(new Origin.Unbound());
  }

  @Test
  void survivesWhatIsNoBindingsStatus() {
    assertThat(of(binding("compute", "c", "text", List.of(), 7))).isEqualTo(new Origin.Unbound());
    assertThat(of(KubeObject.of(Map.of("status", "none")))).isEqualTo(new Origin.Unbound());
    assertThat(
            of(
                binding(
                    "compute",
                    "c",
                    Map.of("group", MACHINES.group(), "resource", MACHINES.resource()))))
        .isEqualTo(new Origin.Bound("compute", "c", "", "", "7"));
  }

  private static Origin of(KubeObject binding) {
    return Origin.among(List.of(binding), MACHINES);
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
