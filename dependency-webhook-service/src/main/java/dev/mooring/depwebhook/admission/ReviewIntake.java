package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.runtime.trace.WorkSpan;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the reviews in progress by time, memory and number. A parsed review takes several times
 * its size, and API servers send dozens at once while they empty a namespace: a large review waits
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
  private static final int SHARE_OF_TIMEOUT = 2;

  private final ReviewHandler handler;
  private final NotificationReviews notifications;
  private final InstantSource clock;
  private final int sizeMax;
  private final Semaphore memory;

  private final ReviewProgress progress;

  /** First in, first out. */
  private final Semaphore places = new Semaphore(IN_PROGRESS_MAX, true);

  /**
   * @param clock that does not jump
   * @param sizeMax of one review, in bytes
   * @param heapMax in bytes
   */
  public ReviewIntake(
      ReviewHandler handler,
      NotificationReviews notifications,
      InstantSource clock,
      int sizeMax,
      long heapMax) {
    this.handler = handler;
    this.notifications = notifications;
    this.clock = clock;
    this.sizeMax = sizeMax;
    this.progress = new ReviewProgress(clock);
    // First in, first out: otherwise a large review might never get memory.
    this.memory =
        new Semaphore(Math.clamp(heapMax / SHARE_OF_HEAP, sizeMax, Integer.MAX_VALUE), true);
  }

  /**
   * @param length of the body as its sender says; negative if unknown
   * @param timeout of the API server as the URL says; empty if it does not
   * @throws IOException if the body ends before it should; {@link BodyReader.SlowBody} if it does
   *     not come
   */
  public Answer answer(InputStream body, long length, WebhookEntry entry, String timeout)
      throws IOException {
    Deadline deadline = Deadline.start(clock, timeout);
    return taken(
        new BodyReader(body, deadline),
        length,
        deadline::untilEvaluated,
        failure -> failure.under(entry.mode()),
        (whole, read) -> placed(whole, entry, deadline, read));
  }

  /**
   * Takes a notification, whose response always allows: one that finds no memory is dropped.
   *
   * @param length of the body as its sender says; negative if unknown
   * @param provider as the review's URL names it
   * @param timeout of the API server as the URL says; empty if it does not
   * @throws IOException as {@link #answer}
   */
  public Answer notified(InputStream body, long length, String provider, String timeout)
      throws IOException {
    Deadline deadline = Deadline.start(clock, timeout);
    return taken(
        new BodyReader(body, deadline),
        length,
        () -> Duration.ZERO,
        failure -> {
          LOG.warn("Notification of a deletion dropped: {}", failure.cause());
          return NotificationReviews.allowed(failure.uid());
        },
        (whole, read) ->
            notifications.answer(
                whole, provider, deadline.timeout().dividedBy(SHARE_OF_TIMEOUT), read));
  }

  /**
   * @param wait for memory
   * @param accepted gets the body, and what to call once the body is no longer used
   */
  private Answer taken(
      BodyReader body,
      long length,
      Supplier<Duration> wait,
      Function<ReviewFailure, Answer> rejected,
      BiFunction<byte[], Runnable, Answer> accepted)
      throws IOException {
    byte[] start = body.read(SMALL_BYTES);
    if (start.length < SMALL_BYTES) {
      return accepted.apply(start, () -> {});
    }
    if (length > sizeMax) {
      // A response before the end of its request is lost with the connection.
      body.skip(sizeMax);
      return rejected.apply(ReviewFailure.tooLarge(start, sizeMax));
    }
    int bytes = length < 0 ? sizeMax : Math.max((int) length, start.length);
    if (!acquired(memory, bytes, wait.get())) {
      if (!body.isLate()) {
        body.skip(sizeMax);
      }
      return rejected.apply(ReviewFailure.noMemory(start, bytes));
    }
    byte[] whole = whole(start, body, bytes);
    if (whole.length > sizeMax) {
      memory.release(bytes);
      return rejected.apply(ReviewFailure.tooLarge(start, sizeMax));
    }
    return accepted.apply(whole, () -> memory.release(bytes));
  }

  private Answer placed(byte[] body, WebhookEntry entry, Deadline deadline, Runnable read) {
    if (!acquired(places, 1, deadline.untilEvaluated())) {
      read.run();
      return ReviewFailure.noPlace(body, IN_PROGRESS_MAX).under(entry.mode());
    }
    return evaluated(
        body,
        entry,
        deadline,
        () -> {
          places.release();
          read.run();
        });
  }

  /**
   * Answers in time; an evaluation that ends later is ignored.
   *
   * @param read called once the body is no longer used; that may be after the response
   */
  Answer evaluated(byte[] body, WebhookEntry entry, Deadline deadline, Runnable read) {
    progress.began(deadline);
    CompletableFuture<Answer> evaluation =
        CompletableFuture.supplyAsync(
                () -> handler.answer(body, entry, deadline),
                review -> Thread.ofVirtual().name("review").start(WorkSpan.carry(review)))
            .whenComplete((_, _) -> {
              progress.ended(deadline);
              read.run();
            });
    Answer sent = inTime(evaluation, body, entry, deadline);
    // The evaluation of a review that was answered is abandoned.
    deadline.expire();
    handler.report(sent);
    return sent;
  }

  /** This thread keeps the time: the JVM's own timer is one thread, which any task can block. */
  private Answer inTime(
      Future<Answer> evaluation, byte[] body, WebhookEntry entry, Deadline deadline) {
    try {
      Answer answer = evaluation.get(deadline.untilAnswered().toMillis(), TimeUnit.MILLISECONDS);
      progress.answeredInTime();
      return answer;
    } catch (TimeoutException e) {
      progress.timedOut();
      return ReviewFailure.tooLate(body, deadline.timeout()).under(entry.mode());
    } catch (ExecutionException e) {
      LOG.error("A review failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ReviewFailure.failed(ReviewDecoder.leadingUid(body)).under(entry.mode());
  }

  public ReviewProgress progress() {
    return progress;
  }

  /** Reviews that wait for others. */
  int waiting() {
    return memory.getQueueLength() + places.getQueueLength();
  }

  /** Waits until so much is free; false if that takes longer. */
  private static boolean acquired(Semaphore of, int much, Duration wait) {
    try {
      return wait.isZero()
          ? of.tryAcquire(much)
          : of.tryAcquire(much, wait.toMillis(), TimeUnit.MILLISECONDS);
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
      memory.release(bytes);
      throw e;
    }
  }
}
