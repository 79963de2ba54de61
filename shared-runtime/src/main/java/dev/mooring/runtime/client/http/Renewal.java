package dev.mooring.runtime.client.http;

import dev.mooring.runtime.client.credentials.ClientKeys;
import dev.mooring.runtime.client.credentials.CredentialFiles;
import dev.mooring.runtime.client.credentials.CredentialFiles.FileState;
import dev.mooring.runtime.client.credentials.ServerAccess;
import dev.mooring.runtime.time.Scheduler;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes up credentials whose files were replaced: it looks at them once a {@link #PERIOD}, and soon
 * after a request was not let in. Does nothing before {@link #begin}. Thread-safe.
 */
final class Renewal implements AutoCloseable {
  /** Certificates are renewed hours before they end. */
  static final Duration PERIOD = Duration.ofMinutes(1);

  /** Between two looks, however many requests fail. */
  static final Duration REST = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);

  private final Supplier<ServerAccess> source;
  private final URI server;
  private final HttpClientGenerations lines;

  // These are set by begin(); before it the lines report no refusal and nothing is scheduled.
  @SuppressWarnings("NullAway.Init")
  private Scheduler scheduler;

  @SuppressWarnings("NullAway.Init")
  private InstantSource clock;

  @SuppressWarnings("NullAway.Init")
  private Scheduler.Scheduled next;

  @SuppressWarnings("NullAway.Init")
  private Instant nextAt;

  @SuppressWarnings("NullAway.Init")
  private Instant lastAt;

  private boolean looking;

  /** Whether a request failed since the look under way began. */
  private boolean suspected;

  private boolean closed;

  /** What is in use, or was looked at and is not to be used; of the looking thread. */
  private volatile CredentialFiles known;

  private volatile String warned = "";

  /** The certificate that new requests show; empty if there is none. */
  private volatile Optional<X509Certificate> certificate;

  /**
   * @param source throws {@link IllegalArgumentException} for what cannot be used
   * @param first by which the lines were opened
   */
  Renewal(Supplier<ServerAccess> source, ServerAccess first, HttpClientGenerations lines) {
    this.source = source;
    this.server = first.server();
    this.known = first.files();
    this.certificate = ClientKeys.certificate(first.config());
    this.lines = lines;
  }

  Optional<X509Certificate> certificate() {
    return certificate;
  }

  synchronized void begin(Scheduler by, InstantSource of) {
    if (scheduler != null || closed) {
      return;
    }
    scheduler = by;
    clock = of;
    lastAt = clock.instant();
    schedule(lastAt.plus(PERIOD));
    lines.whenRefused(this::suspect);
  }

  /** A request was refused; the files may hold newer credentials. */
  private synchronized void suspect() {
    Instant soonest = later(clock.instant(), lastAt.plus(REST));
    if (looking) {
      suspected = true;
    } else if (!closed && nextAt.isAfter(soonest)) {
      next.cancel();
      schedule(soonest);
    }
  }

  private void schedule(Instant at) {
    nextAt = at;
    next = scheduler.after(Duration.between(clock.instant(), at), this::lookElsewhere);
  }

  /** Files may be slow, and all components share the scheduler's thread. */
  private void lookElsewhere() {
    synchronized (this) {
      if (closed || looking) {
        return;
      }
      looking = true;
      suspected = false;
      lastAt = clock.instant();
    }
    Thread.ofVirtual().name("credentials " + server).start(this::look);
  }

  private void look() {
    try {
      switch (known.compare()) {
        case FileState.Same() -> {}
        case FileState.Unreadable(var file) -> keep(file + " cannot be read");
        case FileState.Changed() -> takeUp(source.get());
      }
    } catch (IllegalArgumentException e) {
      keep(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("The credentials for {} cannot be looked at", server, e);
    } finally {
      rest();
    }
  }

  private synchronized void rest() {
    looking = false;
    if (!closed) {
      schedule(lastAt.plus(suspected ? REST : PERIOD));
    }
  }

  private void takeUp(ServerAccess renewed) {
    if (!renewed.server().equals(server)) {
      // Not even the new credentials are for this server.
      known = renewed.files();
      keep(renewed.files() + " now lead to " + renewed.server() + ", which takes a restart");
      return;
    }
    lines.succeed(renewed.open(), scheduler);
    certificate = ClientKeys.certificate(renewed.config());
    known = renewed.files();
    warned = "";
    LOG.info("Credentials for {} were renewed: {}", server, known);
  }

  /** Says so once. */
  private void keep(String why) {
    if (!warned.equals(why)) {
      warned = why;
      LOG.warn("Keeping the credentials for {} that were read before: {}", server, why);
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
  }
}
