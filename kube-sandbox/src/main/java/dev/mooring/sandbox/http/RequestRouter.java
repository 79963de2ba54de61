package dev.mooring.sandbox.http;

import dev.mooring.sandbox.http.exchange.Exchange;
import java.io.IOException;

/** Answers requests. Thread-safe. */
@FunctionalInterface
interface RequestRouter {
  /** Throws {@code ApiFailure}. */
  void answer(Exchange exchange) throws IOException;
}
