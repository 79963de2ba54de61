package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.WebhookEntry.Kind;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the reviews in progress by time, memory and number. A parsed review takes several times
 * its size, and API servers send dozens at once while they empty a namespace: a large review waits
 * until there is memory, and is denied for a retry if that takes too long. Every review needs one
 * of the places; a review that timed out keeps its place until its evaluation ends. Thread-safe.
 */
public final class ReviewLimiter {
  /** Read of every review before it needs memory from the limit. */
  static final int SMALL_BYTES = 16 << 10;

  /**
   * Reviews in progress, whether answered or not: 1.5 times {@code server.tomcat.max-connections}.
   * This alone bounds the memory of small reviews, about 100 kB each.
   */
  static final int IN_PROGRESS_MAX = 300;

  private static final Logger LOG = LoggerFactory.getLogger(ReviewLimiter.class);

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
  public ReviewLimiter(
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
  public Answer limit(InputStream stream, long length, WebhookEntry entry, String timeout)
      throws IOException {
    Deadline deadline = Deadline.start(clock, timeout);
    var reader = new BodyReader(stream, deadline);
    byte[] start = reader.read(SMALL_BYTES);
    if (start.length < SMALL_BYTES) {
      return pass(new ReviewBody(start, memory, 0), entry, deadline);
    }
    if (length > sizeMax) {
      // A response before the end of its request is lost with the connection.
      reader.skip(sizeMax);
      return rejected(ReviewFailure.tooLarge(start, sizeMax), entry);
    }
    int bytes = length < 0 ? sizeMax : Math.max((int) length, start.length);
    // A notification is allowed in any case: one that finds no memory is dropped.
    Duration wait = entry.kind() == Kind.NOTIFYING ? Duration.ZERO : deadline.untilEvaluated();
    if (!acquired(memory, bytes, wait)) {
      if (!deadline.isOver()) {
        reader.skip(sizeMax);
      }
      return rejected(ReviewFailure.noMemory(start, bytes), entry);
    }
    byte[] whole = whole(start, reader, bytes);
    if (whole.length > sizeMax) {
      memory.release(bytes);
      return rejected(ReviewFailure.tooLarge(start, sizeMax), entry);
    }
    return pass(new ReviewBody(whole, memory, bytes), entry, deadline);
  }

  private static Answer rejected(ReviewFailure failure, WebhookEntry entry) {
    if (entry.kind() == Kind.NOTIFYING) {
      LOG.warn("Notification of a deletion dropped: {}", failure.cause());
      return NotificationReviews.allowed(failure.uid());
    }
    return failure.answerFor(entry.mode());
  }

  private Answer pass(ReviewBody body, WebhookEntry entry, Deadline deadline) {
    if (entry.kind() == Kind.NOTIFYING) {
      return notifications.receive(body, entry, deadline.timeout().dividedBy(SHARE_OF_TIMEOUT));
    }
    if (!acquired(places, 1, deadline.untilEvaluated())) {
      body.release();
      return rejected(ReviewFailure.noPlace(body.bytes(), IN_PROGRESS_MAX), entry);
    }
    return evaluateInTime(body, entry, deadline);
  }

  /** Answers in time; an evaluation that ends later is ignored. */
  Answer evaluateInTime(ReviewBody body, WebhookEntry entry, Deadline deadline) {
    progress.began(deadline);
    CompletableFuture<Answer> evaluation =
        CompletableFuture.supplyAsync(
                () -> handler.handleReview(body.bytes(), entry, deadline),
                review -> Thread.ofVirtual().name("review").start(WorkSpan.carry(review)))
            .whenComplete((_, _) -> {
              progress.ended(deadline);
              places.release();
              body.release();
            });
    Answer sent = await(evaluation, body.bytes(), entry, deadline);
    // The evaluation of a review that was answered is abandoned.
    deadline.expire();
    handler.report(sent);
    return sent;
  }

  /** This thread keeps the time: the JVM's own timer is one thread, which any task can block. */
  private Answer await(
      Future<Answer> evaluation, byte[] body, WebhookEntry entry, Deadline deadline) {
    try {
      Answer answer = evaluation.get(deadline.untilAnswered().toMillis(), TimeUnit.MILLISECONDS);
      if (!deadline.isExpired()) {
        progress.answeredInTime();
        return answer;
      }
    } catch (TimeoutException e) {
      LOG.debug("A review is not evaluated in time", e);
    } catch (ExecutionException e) {
      LOG.error("A review failed", e.getCause());
      return ReviewFailure.failed(ReviewDecoder.leadingUid(body)).answerFor(entry.mode());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ReviewFailure.failed(ReviewDecoder.leadingUid(body)).answerFor(entry.mode());
    }
    progress.timedOut();
    return ReviewFailure.tooLate(body, deadline.timeout()).answerFor(entry.mode());
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
