package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.TimedReviews.Wait;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the reviews in progress by memory and by number. A parsed review takes several times its
 * size, and API servers send dozens at once while they empty a namespace: a large review waits
 * until there is memory, and is denied for a retry if that takes too long. Every review needs one
 * of the places; a review that timed out keeps its place until its evaluation ends. Thread-safe.
 */
public final class ReviewIntake {
  /** Read of every review before it needs memory from the limit. */
  static final int SMALL_BYTES = 16 << 10;

  /**
   * Reviews in progress, whether answered or not: 1.5 times {@code server.tomcat.max-connections}.
   * This alone bounds the memory of small reviews, about 100 kB each.
   */
  static final int IN_PROGRESS_MAX = 300;

  private static final Logger LOG = LoggerFactory.getLogger(ReviewIntake.class);

  /** Of the heap: a parsed review takes about six times its bytes. */
  private static final int SHARE_OF_HEAP = 16;

  /** Of the API server's timeout, for a notification. */
  private static final int SHARE_OF_PATIENCE = 2;

  private final TimedReviews reviews;
  private final NotificationReviews notifications;
  private final int sizeMax;
  private final Semaphore room;

  /** First in, first out. */
  private final Semaphore places = new Semaphore(IN_PROGRESS_MAX, true);

  /**
   * @param sizeMax of one review, in bytes
   * @param heapMax in bytes
   */
  public ReviewIntake(
      TimedReviews reviews, NotificationReviews notifications, int sizeMax, long heapMax) {
    this.reviews = Objects.requireNonNull(reviews, "reviews");
    this.notifications = Objects.requireNonNull(notifications, "notifications");
    this.sizeMax = sizeMax;
    // First in, first out: otherwise a large review might never get memory.
    this.room =
        new Semaphore(Math.clamp(heapMax / SHARE_OF_HEAP, sizeMax, Integer.MAX_VALUE), true);
  }

  /**
   * @param length of the body as its sender says; negative if unknown
   * @param timeout of the API server as the URL says; empty if it does not
   * @throws IOException if the body ends before it should; {@link SlowBodyException} if it does not
   *     come
   */
  public Answer answer(InputStream body, long length, WebhookEntry entry, String timeout)
      throws IOException {
    Wait wait = reviews.begin(timeout);
    BodyReader reader = reviews.reader(body, wait);
    byte[] start = reader.read(SMALL_BYTES);
    if (start.length < SMALL_BYTES) {
      return judged(start, entry, wait, () -> {});
    }
    if (length > sizeMax) {
      // A response before the end of its request is lost with the connection.
      reader.skip(sizeMax);
      return ReviewFailure.tooLarge(start, sizeMax).under(entry.mode());
    }
    int bytes = taking(length, start);
    if (!found(room, bytes, wait)) {
      LOG.warn("Review rejected: {} bytes exceed the free memory for reviews", bytes);
      return ReviewFailure.noRoom(start, bytes).under(entry.mode());
    }
    byte[] whole = whole(start, reader, bytes);
    if (whole.length > sizeMax) {
      room.release(bytes);
      return ReviewFailure.tooLarge(start, sizeMax).under(entry.mode());
    }
    return judged(whole, entry, wait, () -> room.release(bytes));
  }

  /**
   * @param read called once the body is no longer used
   */
  private Answer judged(byte[] body, WebhookEntry entry, Wait wait, Runnable read) {
    if (!found(places, 1, wait)) {
      LOG.warn("Review rejected: {} reviews already in progress", IN_PROGRESS_MAX);
      read.run();
      return ReviewFailure.noPlace(body, IN_PROGRESS_MAX).under(entry.mode());
    }
    return reviews.answer(
        body,
        entry,
        wait,
        () -> {
          places.release();
          read.run();
        });
  }

  /**
   * Takes a notification, whose response always allows: one that finds no memory is dropped.
   *
   * @param length of the body as its sender says; negative if unknown
   * @param provider as the review's URL names it
   * @param timeout of the API server as the URL says; empty if it does not
   * @throws IOException if the body ends before it should; {@link SlowBodyException} if it does not
   *     come
   */
  public Answer notified(InputStream body, long length, String provider, String timeout)
      throws IOException {
    Wait wait = reviews.begin(timeout);
    Duration moment = wait.patience().dividedBy(SHARE_OF_PATIENCE);
    BodyReader reader = reviews.reader(body, wait);
    byte[] start = reader.read(SMALL_BYTES);
    if (start.length < SMALL_BYTES) {
      return notifications.answer(start, provider, moment, () -> {});
    }
    int bytes = taking(Math.min(length, sizeMax), start);
    if (length > sizeMax || !room.tryAcquire(bytes)) {
      LOG.warn(
          "Notification of a deletion dropped: {} bytes exceed the free memory for reviews",
          Math.max(length, bytes));
      reader.skip(sizeMax);
      return NotificationReviews.unread(start);
    }
    byte[] whole = whole(start, reader, bytes);
    if (whole.length > sizeMax) {
      room.release(bytes);
      return NotificationReviews.unread(start);
    }
    return notifications.answer(whole, provider, moment, () -> room.release(bytes));
  }

  private int taking(long length, byte[] start) {
    return length < 0 ? sizeMax : Math.max((int) length, start.length);
  }

  /** Reviews that wait for others. */
  int waiting() {
    return room.getQueueLength() + places.getQueueLength();
  }

  /** Waits until so much is free; false if that takes longer than the review has. */
  private boolean found(Semaphore of, int much, Wait wait) {
    try {
      return of.tryAcquire(much, reviews.until(wait.judgeBy()).toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * One byte more than may be at most.
   *
   * @param bytes of memory that were acquired for it; released if the body breaks off
   */
  private byte[] whole(byte[] start, BodyReader body, int bytes) throws IOException {
    try {
      byte[] rest = body.read(sizeMax + 1 - start.length);
      byte[] whole = Arrays.copyOf(start, start.length + rest.length);
      System.arraycopy(rest, 0, whole, start.length, rest.length);
      return whole;
    } catch (IOException | RuntimeException | Error e) {
      room.release(bytes);
      throw e;
    }
  }
}
