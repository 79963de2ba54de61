package dev.mooring.sandbox.http.exchange;

import java.io.IOException;

/** Where the events of one watch go. Used by one thread. */
public interface EventSink {
  /** Writes events until the watch is over. */
  @FunctionalInterface
  interface Writer {
    /** Throws {@link IOException} for a client that has left. */
    void write(EventSink events) throws IOException;
  }

  /** Sends one event, in parts that follow each other; it may wait for {@link #flush}. */
  void send(byte[]... parts) throws IOException;

  void flush() throws IOException;

  /**
   * Calls the action when the client leaves before the observation is closed: the end of events.
   */
  ClientConnection.Observation onClientLeft(Runnable action);
}
