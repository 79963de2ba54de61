package dev.mooring.sandbox.security.certificate;

import com.google.common.net.InetAddresses;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The DNS names and IP addresses that a certificate is for. */
final class SubjectNames {
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private SubjectNames() {}

  /** In {@link #canonical} spelling; empty if the certificate names none. */
  static Set<String> of(X509Certificate certificate) {
    var names = new HashSet<String>();
    try {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      for (List<?> alternative : alternatives == null ? List.<List<?>>of() : alternatives) {
        int type = (Integer) alternative.getFirst();
        if (type == DNS_NAME) {
          names.add((String) alternative.getLast());
        } else if (type == IP_ADDRESS) {
          names.add(canonical((String) alternative.getLast()));
        }
      }
    } catch (CertificateParsingException unreadable) {
      return Set.of();
    }
    return names;
  }

  /** One spelling per address: {@code 0:0:0:0:0:0:0:1} and {@code ::1} are the same host. */
  static String canonical(String host) {
    return InetAddresses.isInetAddress(host)
        ? InetAddresses.forString(host).getHostAddress()
        : host;
  }
}
