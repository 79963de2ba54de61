package dev.mooring.benchmarks.sync;

import java.util.List;
import java.util.stream.IntStream;

/** The objects of one measurement, spread over all consumers. */
record Parcels(List<Parcel> all) {
  /** One object of one consumer. */
  record Parcel(Stage.Consumer consumer, String name) {
    String id() {
      return Observed.id(consumer, name);
    }

    /** The namespace that its copy gets. */
    String copyNamespace() {
      return consumer.cluster().name();
    }
  }

  /**
   * @param prefix of the names
   */
  static Parcels of(Stage stage, String prefix, int count) {
    List<Stage.Consumer> consumers = stage.consumers();
    return new Parcels(
        IntStream.range(0, count)
            .mapToObj(i -> new Parcel(consumers.get(i % consumers.size()), prefix + "-" + i))
            .toList());
  }

  List<String> ids() {
    return all.stream().map(Parcel::id).toList();
  }

  int count() {
    return all.size();
  }
}
