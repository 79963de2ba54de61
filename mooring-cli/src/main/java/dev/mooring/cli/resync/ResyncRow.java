package dev.mooring.cli.resync;

import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;

/**
 * A line of {@code mooring resync}.
 *
 * @param service as messages name it
 * @param item that was requested, or a part of it
 * @param queued in words; empty if nothing was
 */
record ResyncRow(String service, String item, String queued, State state, String message) {
  static final List<String> COLUMNS = List.of("SERVICE", "ITEM", "QUEUED", "STATE", "MESSAGE");

  /** As users read it. */
  enum State {
    done,
    /** Time was up before. */
    pending,
    /** It is done, and objects fail. */
    failing,
    /** The service refuses it, or does not answer. */
    refused
  }

  List<String> cells() {
    return List.of(service, item, queued, state.name(), message);
  }

  Map<String, Object> tree() {
    return Trees.ordered(
        "service", service,
        "item", item,
        "queued", queued,
        "state", state.name(),
        "message", message);
  }
}
