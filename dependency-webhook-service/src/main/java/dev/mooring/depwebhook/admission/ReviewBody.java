package dev.mooring.depwebhook.admission;

import java.util.concurrent.Semaphore;

/**
 * The body of a review, and the memory that was acquired for it.
 *
 * @param memory to be released once the body is no longer used; that may be after the response
 */
@SuppressWarnings("ArrayRecordComponent") // held by one review
record ReviewBody(byte[] bytes, Semaphore memory, int permits) {
  void release() {
    memory.release(permits);
  }
}
