package dev.mooring.depwebhook.certificate;

/** Where the webhook's certificate comes from. Thread-safe. */
public interface CertificateSource extends AutoCloseable {
  CertificateState state();

  @Override
  default void close() {}
}
