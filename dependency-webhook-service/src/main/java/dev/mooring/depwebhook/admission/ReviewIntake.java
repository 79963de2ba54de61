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
 * Reads reviews, no more at a time than fit into memory. One becomes several times as large once it
 * is parsed, and API servers send dozens at once while they empty a namespace: large ones that find
 * no room wait, and are asked to come again if that takes too long. Small ones only have to find a
 * place among those that are judged. As many as there are connections always do; but one that was
 * answered as too late keeps its place until its judge has come to an end. Thread-safe.
 */
public final class ReviewIntake {
  /** What is read of every review before there has to be room for it. */
  static final int SMALL_BYTES = 16 << 10;

  /**
   * Judged at a time, whether answered or not: half as many again as the server keeps connections
   * ({@code server.tomcat.max-connections}). Small ones are held in memory by this alone, at some
   * 100 kB each.
   */
  static final int JUDGED_MAX = 300;

  private static final Logger LOG = LoggerFactory.getLogger(ReviewIntake.class);

  /** Of the heap: a parsed review takes some six times its bytes, and much else is kept there. */
  private static final int SHARE_OF_HEAP = 16;

  /** Of the time that an API server waits for an answer that changes nothing. */
  private static final int SHARE_OF_PATIENCE = 2;

  private final TimedReviews reviews;
  private final NotificationReviews notifications;
  private final int sizeMax;
  private final Semaphore room;

  /** In the order of their coming. */
  private final Semaphore places = new Semaphore(JUDGED_MAX, true);

  /**
   * @param sizeMax of one review, in bytes
   * @param heapMax in bytes
   */
  public ReviewIntake(
      TimedReviews reviews, NotificationReviews notifications, int sizeMax, long heapMax) {
    this.reviews = Objects.requireNonNull(reviews, "reviews");
    this.notifications = Objects.requireNonNull(notifications, "notifications");
    this.sizeMax = sizeMax;
    // In the order of their coming, or a large one might wait for ever.
    this.room =
        new Semaphore(Math.clamp(heapMax / SHARE_OF_HEAP, sizeMax, Integer.MAX_VALUE), true);
  }

  /**
   * @param length of the body as its sender says; negative if it does not
   * @param timeout as the URL says how long the API server waits; empty if it does not
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
      // An answer that comes before its request is at an end is lost with the connection.
      reader.skip(sizeMax);
      return ReviewFailure.tooLarge(start, sizeMax).under(entry.mode());
    }
    int bytes = taking(length, start);
    if (!found(room, bytes, wait)) {
      LOG.warn("A review of {} bytes found no room beside others", bytes);
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
   * @param read called once nobody looks at the body any more
   */
  private Answer judged(byte[] body, WebhookEntry entry, Wait wait, Runnable read) {
    if (!found(places, 1, wait)) {
      LOG.warn("A review found no place beside {} others that are judged", JUDGED_MAX);
      read.run();
      return ReviewFailure.noPlace(body, JUDGED_MAX).under(entry.mode());
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
   * Takes in a review that only tells: nothing is waited for, and whatever is the matter, its
   * answer is leave.
   *
   * @param length of the body as its sender says; negative if it does not
   * @param provider as the review's URL names it
   * @param timeout as the URL says how long the API server waits; empty if it does not
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
          "Nothing is done about a deletion: its review of {} bytes finds no room",
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

  /** Waits until there is so much, or it would be of no use any more. */
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
   * @param bytes of room that were taken for it; given back if the body breaks off
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
