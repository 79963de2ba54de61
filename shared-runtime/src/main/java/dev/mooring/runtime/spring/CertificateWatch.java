package dev.mooring.runtime.spring;

import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A certificate whose end health and metrics show. A bean for each is enough.
 *
 * @param name a few words with hyphens, the same for the life of the process
 * @param certificate in use now; empty if there is none. Must not block
 */
public record CertificateWatch(String name, Supplier<Optional<X509Certificate>> certificate) {}
