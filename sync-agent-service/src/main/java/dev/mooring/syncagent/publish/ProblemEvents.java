package dev.mooring.syncagent.publish;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.syncagent.publish.decide.PublicationPlanner;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records an event for each new problem of a PublishedResource: where the service cluster has the
 * Go agent's CRD there are no conditions. Thread-safe.
 */
final class ProblemEvents {
  private final KubeClient service;
  private final EventRecorder recorder;
  private final ConcurrentHashMap<String, String> reported = new ConcurrentHashMap<>();

  ProblemEvents(KubeClient service, EventRecorder recorder) {
    this.service = service;
    this.recorder = recorder;
  }

  void report(PublicationSnapshot seen) {
    Optional<String> problem = PublicationPlanner.problem(seen);
    String name = seen.resource().name();
    if (problem.isEmpty()) {
      reported.remove(name);
    } else if (!problem.get().equals(reported.put(name, problem.get()))) {
      recorder.record(
          service, EventNote.warning(seen.resource(), "ReconcilingError", problem.get()));
    }
  }

  void forget(String name) {
    reported.remove(name);
  }
}
