package dev.mooring.runtime.client.http;

import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;

/** What a server is asked for, each answered when the test does so. */
public final class HeldAnswers<A> {
  private final List<CompletableFuture<A>> requests = new CopyOnWriteArrayList<>();

  /** Makes a request and waits for its answer. */
  public A ask() {
    var answer = new CompletableFuture<A>();
    requests.add(answer);
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw (RuntimeException) e.getCause();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The nth request, as soon as it has been made. */
  public CompletableFuture<A> request(int number) {
    await().until(() -> requests.size() > number);
    return requests.get(number);
  }

  public int count() {
    return requests.size();
  }
}
