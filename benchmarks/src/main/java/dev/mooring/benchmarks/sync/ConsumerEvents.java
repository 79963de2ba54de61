package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.Patience;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether every consumer has all Events about every object. */
record ConsumerEvents(Stage stage) {
  private static final int PAGE = 2_000;

  /** The nanoTime at which every object was found to have an event of each of these reasons. */
  long awaitComplete(Parcels parcels, List<String> reasons) {
    return Patience.await(
        "every object has the events " + reasons,
        () -> missing(parcels, reasons) == 0 ? Optional.of(System.nanoTime()) : Optional.empty());
  }

  private long missing(Parcels parcels, List<String> reasons) {
    Map<String, Set<String>> seen = seen();
    return parcels.all().stream()
        .filter(parcel -> !seen.getOrDefault(parcel.id(), Set.of()).containsAll(reasons))
        .count();
  }

  /** Reasons by object. */
  private Map<String, Set<String>> seen() {
    var seen = new HashMap<String, Set<String>>();
    for (Stage.Consumer consumer : stage.consumers()) {
      ListQuery query = ListQuery.ALL.withLimit(PAGE);
      while (true) {
        var page = consumer.client().list(Types.EVENTS, query);
        for (KubeObject event : page.items()) {
          seen.computeIfAbsent(
                  Observed.id(consumer, event.text("involvedObject", "name")), _ -> new HashSet<>())
              .add(event.text("reason"));
        }
        if (page.continueToken().isEmpty()) {
          break;
        }
        query = query.after(page.continueToken());
      }
    }
    return seen;
  }
}
