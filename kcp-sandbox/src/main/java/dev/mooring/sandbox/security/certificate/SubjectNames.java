package dev.mooring.sandbox.security.certificate;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The DNS names and IP addresses that a certificate is for. */
final class SubjectNames {
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F.]*:[0-9a-fA-F:.]*");
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private SubjectNames() {}

  static boolean isAddress(String host) {
    return ADDRESS.matcher(host).matches();
  }

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
    if (!isAddress(host)) {
      return host;
    }
    try {
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException notAnAddress) {
      return host;
    }
  }
}
