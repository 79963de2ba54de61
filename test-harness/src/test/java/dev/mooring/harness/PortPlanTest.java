package dev.mooring.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortPlanTest {
  @Test
  void choosesPortsThatAreFreeAndDiffer() {
    PortPlan plan = PortPlan.free();

    plan.requireFree(new KcpChoice.Sandbox());
    assertThat(
            List.of(
                plan.kcp(),
                plan.serviceCluster(),
                plan.agent(),
                plan.controller(),
                plan.webhook(),
                plan.admission()))
        .doesNotHaveDuplicates();
  }

  @Test
  void givesUpWhereNoPortIsFree() {
    assertThatThrownBy(() -> PortPlan.freeNeighbours(3, _ -> true))
        .isInstanceOf(HarnessFailure.class)
        .hasMessageContaining("no 3 free ports in a row between 20000 and 32000")
        .hasMessageContaining("Stop programs");
  }

  @Test
  void findsNeighboursThatAreAllFree() {
    int first = PortPlan.freeNeighbours(3, port -> port % 5 == 0);

    assertThat(List.of(first, first + 1, first + 2)).noneMatch(port -> port % 5 == 0);
  }

  @Test
  void namesEveryTakenPortAndWhoWantedIt() throws IOException {
    PortPlan free = PortPlan.free();
    try (var one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var plan =
          new PortPlan(
              one.getLocalPort(),
              free.serviceCluster(),
              free.agent(),
              free.controller(),
              free.webhook(),
              other.getLocalPort());

      assertThatThrownBy(() -> plan.requireFree(new KcpChoice.Sandbox()))
          .isInstanceOf(HarnessFailure.class)
          .hasMessageContaining("port " + one.getLocalPort() + ", wanted for kcp (--kcp-port)")
          .hasMessageContaining("port " + other.getLocalPort() + ", wanted for admission")
          .hasMessageContaining("--free-ports");
    }
  }

  @Test
  void needsNoPortForAKcpThatIsThere() throws IOException {
    PortPlan free = PortPlan.free();
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var plan =
          new PortPlan(
              taken.getLocalPort(),
              free.serviceCluster(),
              free.agent(),
              free.controller(),
              free.webhook(),
              free.admission());

      plan.requireFree(new KcpChoice.Existing(Path.of("kcp.kubeconfig")));

      assertThatThrownBy(() -> plan.requireFree(new KcpChoice.Sandbox()))
          .isInstanceOf(HarnessFailure.class);
    }
  }
}
