package dev.mooring.runtime.client.http;

import dev.mooring.runtime.client.WatchQuery;
import dev.mooring.runtime.client.credentials.ClientKeys;
import dev.mooring.runtime.client.credentials.CredentialFiles;
import dev.mooring.runtime.client.credentials.CredentialFiles.FileState;
import dev.mooring.runtime.client.credentials.ServerAccess;
import dev.mooring.runtime.time.Scheduler;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client with the present credentials, which takes new requests, and former ones, which only
 * finish theirs. Once renewal has started, it compares the files of the credentials every {@link
 * #PERIOD}, a few kilobytes, and reloads those that were replaced. Thread-safe.
 */
final class HttpClientGenerations implements AutoCloseable {
  /** For so long a server may refuse requests whose credentials were replaced. */
  static final Duration PERIOD = Duration.ofSeconds(5);

  /**
   * After which a former client is closed with its open requests. A watch is asked for two minutes
   * ({@link WatchQuery#LIFE}) and given up soon after them, so what is cut off here is no ordinary
   * one; its reader sees it break off and asks again.
   */
  static final Duration FORMER_LIFE = Duration.ofMinutes(5);

  /** Each has threads of its own; credentials that change more often cut the oldest off. */
  static final int FORMER_MAX = 3;

  private static final Logger LOG = LoggerFactory.getLogger(HttpClientGenerations.class);

  private final Supplier<ServerAccess> source;
  private final URI server;
  private final Deque<Former> formers = new ArrayDeque<>();
  private volatile HttpClient current;
  private volatile Optional<X509Certificate> certificate;
  private volatile Scheduler.Scheduled checks = () -> {};

  /** What is in use, or was looked at and is not to be used; of the thread that checks. */
  private volatile CredentialFiles known;

  private volatile String warned = "";
  private boolean closed;

  /**
   * @param source throws {@link IllegalArgumentException} for what cannot be used
   * @param first what it gave first
   */
  HttpClientGenerations(Supplier<ServerAccess> source, ServerAccess first) {
    this.source = source;
    this.server = first.server();
    this.current = first.open();
    this.certificate = ClientKeys.certificate(first.config());
    this.known = first.files();
  }

  HttpRequest.Builder request() {
    return current.newHttpRequestBuilder();
  }

  CompletableFuture<HttpResponse<AsyncBody>> begin(
      HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) throws IOException {
    try {
      return current.consumeBytes(request, consumer);
    } catch (IllegalStateException e) {
      throw new IOException("the connection was closed", e);
    }
  }

  /** The certificate that new requests show; empty if there is none. */
  Optional<X509Certificate> certificate() {
    return certificate;
  }

  /** To be called once. */
  void keepRenewed(Scheduler scheduler) {
    checks = scheduler.every(PERIOD, "credentials " + server, () -> check(scheduler));
  }

  private void check(Scheduler scheduler) {
    try {
      switch (known.compare()) {
        case FileState.Same() -> {}
        case FileState.Unreadable(var file) -> keep(file + " cannot be read");
        case FileState.Changed() -> takeUp(source.get(), scheduler);
      }
    } catch (IllegalArgumentException e) {
      keep(String.valueOf(e.getMessage()));
    }
  }

  private void takeUp(ServerAccess renewed, Scheduler scheduler) {
    if (!renewed.server().equals(server)) {
      // Not even the new credentials are for this server.
      known = renewed.files();
      keep(renewed.files() + " now lead to " + renewed.server() + ", which takes a restart");
      return;
    }
    succeed(renewed.open(), scheduler);
    certificate = ClientKeys.certificate(renewed.config());
    known = renewed.files();
    warned = "";
    LOG.info("Credentials for {} were renewed: {}", server, known);
  }

  private void keep(String why) {
    if (!warned.equals(why)) {
      warned = why;
      LOG.warn("Keeping the credentials for {} that were read before: {}", server, why);
    }
  }

  private synchronized void succeed(HttpClient http, Scheduler scheduler) {
    if (closed) {
      http.close();
      return;
    }
    HttpClient former = current;
    current = http;
    formers.removeIf(each -> each.http().isClosed());
    formers.addLast(new Former(former, scheduler.after(FORMER_LIFE, former::close)));
    if (formers.size() > FORMER_MAX) {
      formers.removeFirst().close();
    }
  }

  /** How many are not closed. */
  synchronized int open() {
    long open = formers.stream().filter(former -> !former.http().isClosed()).count();
    return Math.toIntExact(open) + (current.isClosed() ? 0 : 1);
  }

  @Override
  public synchronized void close() {
    closed = true;
    checks.cancel();
    formers.forEach(Former::close);
    formers.clear();
    current.close();
  }

  /**
   * @param end closes it
   */
  private record Former(HttpClient http, Scheduler.Scheduled end) {
    void close() {
      end.cancel();
      http.close();
    }
  }
}
