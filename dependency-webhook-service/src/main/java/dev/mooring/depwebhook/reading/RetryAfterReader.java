package dev.mooring.depwebhook.reading;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.time.Pause;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Retries a read that the server rejected with a retry time, {@value #TRIES} attempts in all: kcp
 * does so for moments after it began to serve a type ({@code storage is (re)initializing}), any API
 * server under overload. For callers that cannot retry later themselves. An interrupted thread does
 * not retry. Thread-safe.
 */
public record RetryAfterReader(KubeReader direct, Pause pause) implements KubeReader {
  static final int TRIES = 3;

  /** A longer retry time fails the read. */
  static final Duration WAIT_MAX = Duration.ofSeconds(2);

  @Override
  public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
    return patiently(() -> direct.find(type, namespace, name));
  }

  @Override
  public KubeList list(ResourceType type, ListQuery query) {
    return patiently(() -> direct.list(type, query));
  }

  /** A rejected list has passed no object, so each is passed once. */
  @Override
  public Optional<ListEnd> scan(
      ResourceType type, ListQuery query, FieldMask keep, Predicate<KubeObject> each) {
    return patiently(() -> direct.scan(type, query, keep, each));
  }

  @Override
  public KubeObject document(String path) {
    return patiently(() -> direct.document(path));
  }

  private <T> T patiently(Supplier<T> read) {
    for (int tried = 1; ; tried++) {
      try {
        return read.get();
      } catch (KubeFailure failure) {
        Duration wait = failure.retryAfter();
        if (tried == TRIES
            || failure.kind() != KubeFailure.Kind.UNAVAILABLE
            || wait == null
            || wait.compareTo(WAIT_MAX) > 0) {
          throw failure;
        }
        pause.forAbout(wait);
        if (Thread.currentThread().isInterrupted()) {
          throw failure;
        }
      }
    }
  }
}
