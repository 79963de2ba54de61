package dev.mooring.sandbox.security.authentication;

import com.google.common.hash.Hashing;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.certificate.ClientAuthorities;
import dev.mooring.sandbox.security.token.TokenAuthenticator;
import dev.mooring.sandbox.security.user.UserInfo;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * Authenticates as kube-apiserver does (pkg/kubeapiserver/authenticator): a valid client
 * certificate first, whose CN is the user and whose O are groups, then the bearer token. The first
 * that identifies a user decides; a certificate without a CN identifies none. Invalid credentials
 * next to valid ones are ignored.
 */
public final class RequestAuthenticator {
  private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

  private final Optional<ClientAuthorities> authorities;
  private final TokenAuthenticator tokens;

  /**
   * @param authorities empty if client certificates do not log in
   */
  public RequestAuthenticator(Optional<ClientAuthorities> authorities, TokenAuthenticator tokens) {
    this.authorities = authorities;
    this.tokens = tokens;
  }

  /**
   * The user of the credentials; {@link UserInfo#anonymous} without credentials. Impersonation
   * headers are not read: see {@link HeaderImpersonation}.
   *
   * @throws ApiFailure 401 for credentials that are not valid
   */
  public UserInfo authenticate(Credentials credentials) {
    boolean presented = authorities.isPresent() && !credentials.certificates().isEmpty();
    boolean verified = presented && authorities.get().verify(credentials.certificates());
    return Optional.of(credentials.certificates())
        .filter(_ -> verified)
        .flatMap(chain -> user(chain.getFirst()))
        .or(() -> credentials.bearerToken().flatMap(tokens::userOf))
        .orElseGet(() -> {
          if (credentials.bearerToken().isPresent() || (presented && !verified)) {
            throw ApiFailure.unauthorized();
          }
          return UserInfo.anonymous();
        });
  }

  private static Optional<UserInfo> user(X509Certificate certificate) {
    X500Name subject = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    List<String> names = values(subject, BCStyle.CN);
    return names.isEmpty() || names.getLast().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new UserInfo(
                    names.getLast(),
                    "",
                    values(subject, BCStyle.O),
                    Map.of(CREDENTIAL_ID, List.of("X509SHA256=" + fingerprint(certificate))))
                .authenticated());
  }

  private static List<String> values(X500Name subject, ASN1ObjectIdentifier type) {
    var values = new ArrayList<String>();
    for (RDN rdn : subject.getRDNs()) {
      for (AttributeTypeAndValue attribute : rdn.getTypesAndValues()) {
        if (attribute.getType().equals(type) && attribute.getValue() instanceof ASN1String text) {
          values.add(text.getString());
        }
      }
    }
    return values;
  }

  private static String fingerprint(X509Certificate certificate) {
    try {
      return Hashing.sha256().hashBytes(certificate.getEncoded()).toString();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("this JDK cannot hash a certificate", e);
    }
  }
}
