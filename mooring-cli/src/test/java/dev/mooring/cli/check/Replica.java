package dev.mooring.cli.check;

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
record Replica(ProtectionEnvironment environment, ServiceProcess process, int port)
    implements AutoCloseable {
  /** Launches one like the webhook that was launched last, and waits until it is ready. */
  static Replica launch(ProtectionEnvironment environment, String name) {
    PortPlan free = PortPlan.free();
    ServiceProcess process =
        environment
            .suite()
            .launchReplica(
                Program.DEPENDENCY_WEBHOOK,
                name,
                Map.of(
                    "--server.port", Integer.toString(free.admission()),
                    "--management.server.port", Integer.toString(free.webhook())));
    URI ready = URI.create("http://127.0.0.1:" + free.webhook() + "/actuator/health/readiness");
    try (HttpProbe probe = HttpProbe.plain()) {
      environment.await(
          name + " is ready",
          () -> {
            process.requireAlive();
            return probe.status(ready).filter(code -> code == 200).isPresent();
          });
    }
    return new Replica(environment, process, free.admission());
  }

  void end() {
    environment.front().remove(port);
    process.close();
  }

  /** It may have ended already. */
  @Override
  public void close() {
    end();
  }
}
