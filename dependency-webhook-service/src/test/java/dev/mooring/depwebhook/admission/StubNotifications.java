package dev.mooring.depwebhook.admission;

import dev.mooring.runtime.time.ManualTime;
import dev.mooring.runtime.time.Scheduler;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/** Reports deletions as a test says. */
public class StubNotifications extends NotificationReviews {
  private final Predicate<Review.Deletion> reporter;

  StubNotifications(Predicate<Review.Deletion> reporter, Scheduler scheduler) {
    super(
        new ReviewFixture().gatherer(),
        List.of(),
        duration -> {
          var over = new CountDownLatch(1);
          scheduler.after(duration, over::countDown);
          Latches.awaitUnlessInterrupted(over);
        });
    this.reporter = reporter;
  }

  /** Reports all. */
  public static NotificationReviews all() {
    return new StubNotifications(_ -> true, new ManualTime());
  }

  @Override
  boolean report(Review.Deletion review) {
    return reporter.test(review);
  }
}
