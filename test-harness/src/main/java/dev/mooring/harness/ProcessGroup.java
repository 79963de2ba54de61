package dev.mooring.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The processes of one run. They end with it, newest first: when it is closed, and when this JVM
 * ends by a signal, so that no process is left behind.
 */
public final class ProcessGroup implements AutoCloseable {
  private final List<ServiceProcess> processes = new ArrayList<>();
  private final Thread atExit = new Thread(this::stopAll, "stop-processes");
  private boolean closed;

  public ProcessGroup() {
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** As {@link ServiceProcess#start}; refused once the group was closed. */
  public synchronized ServiceProcess start(
      String name, List<String> command, Map<String, String> environment, Path log) {
    HarnessFailure.unless(
        !closed, "The " + name + " was not started: everything is being stopped.");
    ServiceProcess process = ServiceProcess.start(name, command, environment, log);
    processes.add(process);
    return process;
  }

  /** Fails if any process has ended without having been asked to. */
  public void requireAllAlive() {
    snapshot().forEach(ServiceProcess::requireAlive);
  }

  /**
   * Whether the processes are being stopped, or have been. True before the first one receives its
   * signal.
   */
  public synchronized boolean isStopping() {
    return closed;
  }

  @Override
  public void close() {
    stopAll();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException endingAnyway) {
      // The JVM is on its way down and runs the hook itself: the processes are stopped either way.
    }
  }

  private void stopAll() {
    List<ServiceProcess> newestFirst;
    synchronized (this) {
      closed = true;
      newestFirst = List.copyOf(processes).reversed();
    }
    // All at once: they drain side by side instead of one after the other.
    newestFirst.forEach(ServiceProcess::requestStop);
    newestFirst.forEach(ServiceProcess::close);
  }

  private synchronized List<ServiceProcess> snapshot() {
    return List.copyOf(processes);
  }
}
