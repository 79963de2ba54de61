package dev.mooring.runtime.client.http;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * Certificates of a server that runs, whose JDK class takes no others once it is started. Sessions
 * of one context are not resumed by the next.
 */
final class ReplaceableContext extends SSLContext {
  /**
   * @param current by which new connections are made
   */
  ReplaceableContext(AtomicReference<SSLContext> current) {
    super(new Delegating(current), current.get().getProvider(), current.get().getProtocol());
  }

  private static final class Delegating extends SSLContextSpi {
    private final AtomicReference<SSLContext> current;

    Delegating(AtomicReference<SSLContext> current) {
      this.current = current;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trusted, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("replace it");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return current.get().getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return current.get().getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return current.get().createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return current.get().createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return current.get().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return current.get().getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return current.get().getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return current.get().getSupportedSSLParameters();
    }
  }
}
