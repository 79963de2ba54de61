package dev.mooring.depwebhook.certificate;

/** Where the webhook's certificate comes from. Thread-safe. */
public interface CertificateSource extends AutoCloseable {
  CertificateState state();

  /**
   * Starts to serve renewed certificates. To be called once, when the server listens: an update
   * before that is lost.
   */
  void follow();

  @Override
  default void close() {}
}
