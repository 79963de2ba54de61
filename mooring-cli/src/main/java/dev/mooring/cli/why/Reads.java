package dev.mooring.cli.why;

import dev.mooring.cli.why.decide.Fact;
import dev.mooring.runtime.client.KubeFailure;
import java.util.function.Supplier;

/** Reads of which a refusal is a fact, too. */
final class Reads {
  private Reads() {}

  static <T> Fact<T> of(Supplier<T> read) {
    try {
      return new Fact.Known<>(read.get());
    } catch (KubeFailure failure) {
      return new Fact.Unread<>(failure.code() == 0 ? failure.getMessage() : failure.said());
    }
  }
}
