package dev.mooring.benchmarks.server;

import java.util.concurrent.Flow;
import java.util.function.Consumer;

/** Reads a watch's events as fast as they come. */
final class EventLines implements Flow.Subscriber<String> {
  private final Consumer<String> each;

  private EventLines(Consumer<String> each) {
    this.each = each;
  }

  /**
   * @param each gets every event but bookmarks
   */
  static EventLines each(Consumer<String> each) {
    return new EventLines(each);
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(String line) {
    if (!line.startsWith("{\"type\":\"BOOKMARK\"")) {
      each.accept(line);
    }
  }

  @Override
  public void onError(Throwable ended) {
    // The count of events shows that some are missing.
  }

  @Override
  public void onComplete() {
    // As above.
  }
}
