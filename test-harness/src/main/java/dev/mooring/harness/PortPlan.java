package dev.mooring.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Which loopback ports the suite listens on.
 *
 * @param kcp the sandbox as kcp; unused with a kcp of one's own
 * @param serviceCluster the sandbox as a plain Kubernetes API server
 * @param agent management of the sync agent
 * @param controller management of the dependency controller
 * @param webhook management of the dependency webhook
 * @param admission the dependency webhook itself, HTTPS
 */
public record PortPlan(
    int kcp, int serviceCluster, int agent, int controller, int webhook, int admission) {
  /** The ports of the documentation. */
  public static final PortPlan STANDARD = new PortPlan(6443, 6444, 8085, 8086, 8087, 9443);

  /**
   * Below the ports that a system gives to clients and to servers that take any: between the look
   * and the use no other process gets these by chance.
   */
  private static final int FREE_FIRST = 20_000;

  private static final int FREE_LAST = 32_000;

  /** Where half of all ports are taken, one range of six in 64 is free. */
  private static final int RANGES_MAX = 1_000;

  /** Ports that no process listens on now. */
  public static PortPlan free() {
    int first = freeNeighbours(6);
    return new PortPlan(first, first + 1, first + 2, first + 3, first + 4, first + 5);
  }

  /** The first of so many neighbours that no process listens on now. */
  public static int freeNeighbours(int count) {
    return freeNeighbours(count, PortPlan::isTaken);
  }

  static int freeNeighbours(int count, IntPredicate isTaken) {
    return ThreadLocalRandom.current()
        .ints(RANGES_MAX, FREE_FIRST, FREE_LAST)
        .filter(first -> IntStream.range(first, first + count).noneMatch(isTaken))
        .findFirst()
        .orElseThrow(() ->
            new HarnessFailure(
                ("Found no %d free ports in a row between %d and %d on 127.0.0.1.\nStop programs that"
                        + " listen there, and let this user open ports.")
                    .formatted(count, FREE_FIRST, FREE_LAST)));
  }

  /** Refuses a plan with a port that is taken, naming every such port and what wanted it. */
  public void requireFree(KcpChoice kcpChoice) {
    Map<String, Integer> wanted = new LinkedHashMap<>();
    if (kcpChoice instanceof KcpChoice.Sandbox) {
      wanted.put("kcp (--kcp-port)", kcp);
    }
    wanted.put("the service cluster (--service-cluster-port)", serviceCluster);
    wanted.put("the sync agent (--agent-port)", agent);
    wanted.put("the dependency controller (--controller-port)", controller);
    wanted.put("the dependency webhook (--webhook-port)", webhook);
    wanted.put("admission (--admission-port)", admission);
    List<String> taken = new ArrayList<>();
    wanted.forEach((user, port) -> {
      if (isTaken(port)) {
        taken.add("port " + port + ", wanted for " + user);
      }
    });
    if (!taken.isEmpty()) {
      throw new HarnessFailure(
          "Already taken by another program: "
              + String.join("; ", taken)
              + ".\nStop that program, choose another port, or let --free-ports choose.");
    }
  }

  private static boolean isTaken(int port) {
    try (var socket = new ServerSocket()) {
      // Without it a port stays "taken" for a minute after its last connection.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
