package dev.mooring.cli.resync;

import java.util.LinkedHashMap;
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
    var tree = new LinkedHashMap<String, Object>();
    tree.put("service", service);
    tree.put("item", item);
    tree.put("queued", queued);
    tree.put("state", state.name());
    tree.put("message", message);
    return tree;
  }
}
