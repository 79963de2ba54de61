package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockersTest {
  private static final Target VPC = target("default", "net1");

  @Test
  void namesTheOneBlockerOfANamespacedTargetWithoutItsNamespace() {
    Blockers blockers = found(vm("default", "vm1"));

    assertThat(blockers.denial(VPC))
        .isEqualTo("cannot delete vpcs/net1: still referenced by VirtualMachine/vm1");
  }

  @Test
  void namesTheNamespaceOfWhatBlocksAClusterScopedTarget() {
    Blockers blockers = found(vm("b", "vm1"), vm("a", "vm1"), new Blocker("Gateway", "", "gw"));

    assertThat(blockers.denial(target("", "net1")))
        .isEqualTo(
            "cannot delete vpcs/net1: still referenced by"
                + " Gateway/gw, VirtualMachine/a/vm1, VirtualMachine/b/vm1");
  }

  @Test
  void sortsAndCountsEachBlockerOnce() {
    Blockers blockers = found(vm("default", "b"), vm("default", "a"), vm("default", "b"));

    assertThat(blockers.denial(VPC))
        .isEqualTo(
            "cannot delete vpcs/net1: still referenced by VirtualMachine/a, VirtualMachine/b");
  }

  @ParameterizedTest
  @CsvSource({
    "10, COMPLETE, ''",
    "11, COMPLETE, ' and 1 more'",
    "9000, COMPLETE, ' and 8990 more'",
    "500, STOPPED_EARLY, ' and more'"
  })
  void namesAtMostTen(int found, Search search, String ending) {
    List<Blocker> all =
        IntStream.range(0, found).mapToObj(i -> vm("default", "vm%05d".formatted(i))).toList();

    assertThat(Blockers.of(all, search).denial(VPC))
        .startsWith("cannot delete vpcs/net1: still referenced by VirtualMachine/vm00000, ")
        .endsWith("VirtualMachine/vm00009" + ending)
        .hasSizeLessThan(400);
  }

  @Test
  void thereIsNothingToSayWithoutABlocker() {
    assertThatThrownBy(() -> Blockers.NONE.denial(VPC)).isInstanceOf(IllegalStateException.class);
  }

  private static Blockers found(Blocker... blockers) {
    return Blockers.of(List.of(blockers), Search.COMPLETE);
  }

  private static Blocker vm(String namespace, String name) {
    return new Blocker("VirtualMachine", namespace, name);
  }

  private static Target target(String namespace, String name) {
    return new Target(
        new GroupResource("network.example.com", "vpcs"),
        new ObjectKey(new LogicalCluster("consumer1"), namespace, name));
  }
}
