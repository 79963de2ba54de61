package dev.mooring.depwebhook.certificate;

/** Where the webhook's certificate comes from. Thread-safe. */
public interface CertificateSource extends AutoCloseable {
  CertificateState state();

  /**
   * From now on what is new is shown, too. To be called once, when the server listens: what is
   * shown while it begins to is lost, and it would answer nobody.
   */
  void follow();

  @Override
  default void close() {}
}
