package dev.mooring.check;

import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServiceProcess;
import java.net.URI;
import java.util.Map;

/**
 * Another replica of the webhook. Closing it has the balancer send it nothing new, and ends it.
 *
 * @param port of its reviews
 */
record Replica(Ground ground, ServiceProcess process, int port) implements AutoCloseable {
  /** Launches one like the webhook that was launched last, and waits until it is ready. */
  static Replica launch(Ground ground, String name) {
    PortPlan free = PortPlan.free();
    ServiceProcess process =
        ground
            .suite()
            .launchReplica(
                Program.DEPENDENCY_WEBHOOK,
                name,
                Map.of(
                    "--server.port", Integer.toString(free.admission()),
                    "--management.server.port", Integer.toString(free.webhook())));
    URI ready = URI.create("http://127.0.0.1:" + free.webhook() + "/actuator/health/readiness");
    try (HttpProbe probe = HttpProbe.plain()) {
      ground.await(
          name + " is ready",
          () -> {
            process.requireAlive();
            return probe.status(ready).filter(code -> code == 200).isPresent();
          });
    }
    return new Replica(ground, process, free.admission());
  }

  void end() {
    ground.front().remove(port);
    process.close();
  }

  /** It may have ended already. */
  @Override
  public void close() {
    end();
  }
}
