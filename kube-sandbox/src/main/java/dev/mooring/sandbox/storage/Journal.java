package dev.mooring.sandbox.storage;

import java.io.UncheckedIOException;

/** Keeps writes beyond the end of the process. Called by one thread at a time. */
interface Journal extends AutoCloseable {
  /** Of a store that ends with its process. */
  Journal NONE =
      new Journal() {
        @Override
        public void keep(StoreEvent event) {}

        @Override
        public boolean isOpen() {
          return true;
        }

        @Override
        public void close() {}
      };

  /**
   * The event is kept when this returns, even if the process is killed then.
   *
   * @throws UncheckedIOException if it is not; the write must not happen then
   */
  void keep(StoreEvent event);

  /** False once an event could not be kept: none can be from then on. */
  boolean isOpen();

  @Override
  void close();
}
