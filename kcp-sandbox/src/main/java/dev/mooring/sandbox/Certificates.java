package dev.mooring.sandbox;

import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ClientAuthorities;
import java.time.Clock;
import java.util.Optional;

/**
 * The certificate authorities of a server.
 *
 * @param authority signs the server's certificate and its tokens
 * @param clients whose client certificates log in; empty if none do
 */
record Certificates(CertificateAuthority authority, Optional<ClientAuthorities> clients) {
  static Certificates of(ServerOptions options, Clock clock) {
    return new Certificates(
        CertificateAuthority.in(options.rootDirectory(), clock.instant()),
        options.access().clientCaFile().map(ClientAuthorities::in));
  }
}
