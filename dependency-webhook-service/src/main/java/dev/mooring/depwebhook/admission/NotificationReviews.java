package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.time.Pause;
import dev.mooring.runtime.trace.WorkSpan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes notifications of deletions that the webhook configuration allows in any case. The
 * response always allows the deletion. A notification is handled before the response if that takes
 * no longer than a moment, and otherwise after it, once rules are loaded. Thread-safe.
 */
public class NotificationReviews {
  private static final Logger LOG = LoggerFactory.getLogger(NotificationReviews.class);

  /** Notifications in progress or waiting for rules; each takes about 100 kB of memory. */
  static final int OPEN_MAX = 200;

  static final Duration ASKED_AGAIN = Duration.ofSeconds(1);

  /** A replica loads its rules within a few seconds of its start. */
  static final int ATTEMPTS_MAX = 60;

  private final FactGatherer facts;
  private final List<DecisionListener> listeners;
  private final Pause pause;
  private final Semaphore open = new Semaphore(OPEN_MAX);

  public NotificationReviews(FactGatherer facts, List<DecisionListener> listeners, Pause pause) {
    this.facts = facts;
    this.listeners = listeners;
    this.pause = pause;
  }

  static Answer allowed(String uid) {
    return Answer.of(uid, new Allowed(Outcome.NOTIFIED));
  }

  /**
   * @param moment after which the response does not wait for the handler
   */
  Answer receive(ReviewBody body, WebhookEntry entry, Duration moment) {
    Review review = ReviewDecoder.decodeReview(body.bytes(), entry.cluster());
    switch (review) {
      case Review.Deletion deletion when deletion.recording() == Recording.RECORDED ->
          begin(new PendingNotification(deletion, body), moment);
      case Review.Deletion _, Review.CreateOrUpdate _, Review.OtherOperation _ -> body.release();
      case Review.Malformed(var uid, var problem) -> {
        LOG.warn("Notification dropped: review {} is malformed: {}", uid, problem);
        body.release();
      }
    }
    return allowed(review.uid());
  }

  private void begin(PendingNotification notification, Duration moment) {
    if (!open.tryAcquire()) {
      notification.drop("too many notifications in progress");
      notification.body().release();
      return;
    }
    var attempted = new CountDownLatch(1);
    Thread.ofVirtual()
        .name("notification")
        .start(
            WorkSpan.carry(() -> {
              try {
                process(notification, attempted);
              } finally {
                open.release();
                notification.body().release();
                attempted.countDown();
              }
            }));
    try {
      attempted.await(moment.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void process(PendingNotification notification, CountDownLatch attempted) {
    LogFields about = notification.review().about();
    WorkSpan.current().about(about);
    try (var _ = about.open()) {
      for (int attempt = 1; !report(notification.review()); attempt++) {
        attempted.countDown();
        if (attempt == ATTEMPTS_MAX) {
          notification.drop("rules are not loaded");
          return;
        }
        pause.forAbout(ASKED_AGAIN);
      }
    } catch (RuntimeException e) {
      LOG.error("Notification of {} failed", notification, e);
    }
  }

  /**
   * Reports a deletion that the API server let pass by the skip annotation, with the rules that it
   * bypassed. Stale rules count as well: a trace by old rules is better than none.
   *
   * @return false if rules are not loaded yet, and nothing was done
   */
  boolean report(Review.Deletion review) {
    Optional<List<MatchedRule>> bypassed = facts.bypassedBy(review);
    if (bypassed.isEmpty()) {
      return false;
    }
    List<String> rules =
        bypassed.get().stream().map(each -> each.rule().qualifiedName()).distinct().toList();
    if (!rules.isEmpty()) {
      var allowed = new Allowed(Outcome.SKIP_PROTECTION, List.of(), List.of(), rules);
      listeners.forEach(listener -> listener.decided(review, allowed));
    }
    return true;
  }

  /** A notification that was not handled yet. */
  private record PendingNotification(Review.Deletion review, ReviewBody body) {
    void drop(String why) {
      LOG.warn("Notification of {} dropped: {}", this, why);
    }

    @Override
    public String toString() {
      return "the deletion of %s %s by %s"
          .formatted(review.target().type(), review.target().key(), review.caller().username());
    }
  }
}
