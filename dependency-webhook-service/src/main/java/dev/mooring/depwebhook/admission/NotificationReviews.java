package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes note of deletions that kcp was told to carry out whatever is answered. So the answer is
 * always leave: a refusal, even for want of knowledge, would keep what nobody wants kept. What is
 * to be done about the deletion is done before the answer if that takes a moment, and else after
 * it, once rules are known. Thread-safe.
 */
public final class NotificationReviews {
  private static final Logger LOG = LoggerFactory.getLogger(NotificationReviews.class);

  /**
   * Under way or waiting for rules. Small reviews are held in memory by this alone, at some 100 kB
   * each.
   */
  static final int OPEN_MAX = 200;

  static final Duration ASKED_AGAIN = Duration.ofSeconds(1);

  /** How often rules are asked for; a replica that starts knows them after a few seconds. */
  static final int ATTEMPTS_MAX = 60;

  private final Handler handler;
  private final Scheduler scheduler;
  private final Semaphore open = new Semaphore(OPEN_MAX);

  /** What is to be done about a deletion. */
  @FunctionalInterface
  public interface Handler {
    /**
     * @return false if rules are not known yet, and nothing was done
     */
    boolean handle(Review.Deletion review);
  }

  public NotificationReviews(Handler handler, Scheduler scheduler) {
    this.handler = Objects.requireNonNull(handler, "handler");
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
  }

  /** For a review that is not read further. */
  static Answer unread(byte[] start) {
    return leave(ReviewReader.leadingUid(start));
  }

  /**
   * @param provider as the review's URL names it
   * @param moment after which nothing is waited for; whoever deletes this may next delete what
   *     depends on the note
   * @param read called once nobody looks at the body any more; that may be after the answer
   */
  Answer answer(byte[] body, String provider, Duration moment, Runnable read) {
    Review review = ReviewReader.read(body, LogicalCluster.parse(provider));
    switch (review) {
      case Review.Deletion deletion when deletion.effect() == Review.Effect.REAL ->
          begin(new PendingNotification(deletion, read), moment);
      case Review.Deletion _, Review.Writing _, Review.OtherOperation _ -> read.run();
      case Review.Malformed(var uid, var problem) -> {
        LOG.warn("Nothing is done about review {} of a deletion: {}", uid, problem);
        read.run();
      }
    }
    return leave(review.uid());
  }

  private static Answer leave(String uid) {
    return new Answer(AdmissionReviewCodec.allowed(uid), Decision.NOTIFIED);
  }

  private void begin(PendingNotification notification, Duration moment) {
    if (!open.tryAcquire()) {
      notification.givenUp("too many are told at once");
      notification.read().run();
      return;
    }
    var attempted = new CountDownLatch(1);
    attempt(notification, ATTEMPTS_MAX, attempted::countDown);
    try {
      attempted.await(moment.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void attempt(PendingNotification notification, int left, Runnable attempted) {
    Thread.ofVirtual()
        .name("notification")
        .start(() -> {
          boolean over = true;
          try {
            over = over(notification, left);
          } finally {
            if (over) {
              open.release();
              notification.read().run();
            }
            attempted.run();
          }
          if (!over) {
            scheduler.after(ASKED_AGAIN, () -> attempt(notification, left - 1, () -> {}));
          }
        });
  }

  private boolean over(PendingNotification notification, int left) {
    try {
      if (handler.handle(notification.review())) {
        return true;
      }
    } catch (RuntimeException e) {
      LOG.error("Nothing is done about {}", notification, e);
      return true;
    }
    if (left > 1) {
      return false;
    }
    notification.givenUp("rules are not known");
    return true;
  }

  /** A deletion, until something was done about it. */
  private record PendingNotification(Review.Deletion review, Runnable read) {
    void givenUp(String why) {
      LOG.warn("Nothing is done about {}: {}", this, why);
    }

    @Override
    public String toString() {
      return "the deletion of %s %s by %s"
          .formatted(review.target().type(), review.target().key(), review.caller().username());
    }
  }
}
