package dev.mooring.runtime.client.http;

import dev.mooring.runtime.client.credentials.ClientKeys;
import dev.mooring.runtime.client.credentials.CredentialFiles;
import dev.mooring.runtime.client.credentials.CredentialFiles.FileState;
import dev.mooring.runtime.client.credentials.ServerAccess;
import dev.mooring.runtime.time.Scheduler;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads credentials whose files were replaced: it compares the files every {@link #PERIOD}, a few
 * kilobytes. Does nothing before {@link #begin}. Thread-safe.
 */
final class Renewal implements AutoCloseable {
  /** For so long a server may refuse requests whose credentials were replaced. */
  static final Duration PERIOD = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);

  private final Supplier<ServerAccess> source;
  private final URI server;
  private final HttpClientGenerations lines;
  private volatile Scheduler.Scheduled checks = () -> {};

  /** What is in use, or was looked at and is not to be used; of the thread that checks. */
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

  /** To be called once. */
  void begin(Scheduler scheduler) {
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

  @Override
  public void close() {
    checks.cancel();
  }
}
