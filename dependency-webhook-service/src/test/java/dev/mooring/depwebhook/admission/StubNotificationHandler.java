package dev.mooring.depwebhook.admission;

import dev.mooring.runtime.time.ManualTime;
import java.util.function.Predicate;

/** Handles notifications as a test says. */
public class StubNotificationHandler extends NotificationHandler {
  private final Predicate<Review.Deletion> handler;

  StubNotificationHandler(Predicate<Review.Deletion> handler) {
    super(new ReviewFixture().gatherer(), (_, _) -> {});
    this.handler = handler;
  }

  /** Handles all. */
  public static NotificationReviews notifications() {
    return new NotificationReviews(new StubNotificationHandler(_ -> true), new ManualTime());
  }

  @Override
  boolean handle(Review.Deletion review) {
    return handler.test(review);
  }
}
