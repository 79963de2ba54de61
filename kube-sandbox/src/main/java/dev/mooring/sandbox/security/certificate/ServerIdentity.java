package dev.mooring.sandbox.security.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;

/** What a TLS server presents: its key, its certificate and the authority that signed it. */
public record ServerIdentity(
    PrivateKey key, X509Certificate certificate, X509Certificate authority) {
  /** An in-memory store with the one entry {@code server}, protected by the password. */
  public KeyStore keyStore(char[] password) {
    try {
      // The key never leaves this memory. PKCS #12 would derive a key from the password by ten
      // thousand rounds, here and where the entry is read: a noticeable part of a start.
      KeyStore store = KeyStore.getInstance("JKS");
      store.load(null, password);
      store.setKeyEntry("server", key, password, new Certificate[] {certificate, authority});
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK cannot make a key store", e);
    }
  }

  /** Never the key. */
  @Override
  public String toString() {
    return "ServerIdentity[" + certificate.getSubjectX500Principal() + "]";
  }
}
