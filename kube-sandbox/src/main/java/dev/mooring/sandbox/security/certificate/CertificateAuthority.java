package dev.mooring.sandbox.security.certificate;

import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The sandbox's own authority and what it signs. Kept as PEM files in one directory ({@code
 * ca.crt}, {@code ca.key}, {@code apiserver.crt}, {@code apiserver.key}), so that a kubeconfig
 * handed out before a restart still trusts the server after it. Keys are readable by the owner
 * alone.
 *
 * <p>Failing to read or write a file is an {@link UncheckedIOException} that names it; files that
 * are there but make no sense are an {@link IllegalStateException} that says which to remove.
 */
public final class CertificateAuthority {
  /** What every server certificate covers: the names of this machine. */
  public static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1", "::1");

  // Go and macOS refuse server certificates that are valid for longer than 825 days.
  private static final Duration VALIDITY = Duration.ofDays(365);
  private static final Duration AUTHORITY_VALIDITY = Duration.ofDays(3650);
  // A certificate this close to its end is replaced at the next start.
  private static final Duration RENEW_BEFORE = Duration.ofDays(30);
  // Clocks of clients may lag.
  private static final Duration BACKDATED = Duration.ofHours(1);
  private static final X500Name AUTHORITY_NAME = new X500Name("CN=kcp-sandbox-ca");
  private static final X500Name SERVER_NAME = new X500Name("CN=kcp-sandbox");

  private static final String NO_CERTIFICATE = "this JDK cannot make a P-256 certificate";

  private final Path directory;
  private final PrivateKey key;
  private final X509Certificate certificate;

  private CertificateAuthority(Path directory, PrivateKey key, X509Certificate certificate) {
    this.directory = directory;
    this.key = key;
    this.certificate = certificate;
  }

  /** The authority kept in the directory; a new one if there is none or it is about to expire. */
  public static CertificateAuthority in(Path directory, Instant now) {
    Path certificateFile = directory.resolve("ca.crt");
    Path keyFile = directory.resolve("ca.key");
    if (Files.exists(certificateFile) && Files.exists(keyFile)) {
      X509Certificate kept = PemFiles.readCertificate(certificateFile);
      if (lasts(kept, now)) {
        return new CertificateAuthority(directory, PemFiles.readKey(keyFile), kept);
      }
    }
    KeyPair pair = newKeyPair();
    X509Certificate certificate = selfSigned(pair, now);
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep a certificate authority in " + directory, e);
    }
    PemFiles.writeKey(keyFile, pair.getPrivate());
    PemFiles.write(certificateFile, certificate);
    return new CertificateAuthority(directory, pair.getPrivate(), certificate);
  }

  private static X509Certificate selfSigned(KeyPair pair, Instant now) {
    try {
      var builder =
          builder(AUTHORITY_NAME, AUTHORITY_NAME, pair.getPublic(), now, AUTHORITY_VALIDITY)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
              .addExtension(
                  Extension.keyUsage,
                  true,
                  new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature))
              .addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
      return sign(builder, pair.getPrivate());
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(NO_CERTIFICATE, e);
    }
  }

  /**
   * The pair that signs service account tokens, kept in {@code sa.key} so that tokens outlive a
   * restart.
   */
  public KeyPair tokenKeys() {
    Path keyFile = directory.resolve("sa.key");
    Path publicFile = directory.resolve("sa.pub");
    if (Files.exists(keyFile) && Files.exists(publicFile)) {
      return new KeyPair(PemFiles.readPublicKey(publicFile), PemFiles.readKey(keyFile));
    }
    KeyPair pair = newKeyPair();
    PemFiles.writeKey(keyFile, pair.getPrivate());
    PemFiles.write(publicFile, pair.getPublic());
    return pair;
  }

  /**
   * An authority kept elsewhere, such as the one whose client certificates a kcp accepts.
   *
   * @param directory for what it signs
   */
  public static CertificateAuthority of(Path certificate, Path key, Path directory) {
    return new CertificateAuthority(
        directory, PemFiles.readKey(key), PemFiles.readCertificate(certificate));
  }

  /**
   * A certificate with which a client logs in, and its key; new ones each time.
   *
   * @param user the certificate's CN
   * @param groups each an O
   */
  public ClientIdentity clientIdentity(String user, List<String> groups, Instant now) {
    var subject = new X500NameBuilder(BCStyle.INSTANCE);
    groups.forEach(group -> subject.addRDN(BCStyle.O, group));
    subject.addRDN(BCStyle.CN, user);
    KeyPair pair = newKeyPair();
    X509Certificate signed =
        issue(subject.build(), pair.getPublic(), now, KeyPurposeId.id_kp_clientAuth);
    return new ClientIdentity(PemFiles.pem(signed), PemFiles.keyPem(pair.getPrivate()));
  }

  /** In PEM, for a kubeconfig's {@code certificate-authority-data}. */
  public String certificatePem() {
    return PemFiles.pem(certificate);
  }

  /**
   * The certificate the server presents: for {@link #LOCAL_HOSTS} and the given hosts. The one kept
   * is reused if this authority signed it, it covers all of them and is not about to expire.
   *
   * @param hosts further DNS names or IP addresses
   */
  public ServerIdentity serverIdentity(Set<String> hosts, Instant now) {
    var names = new LinkedHashSet<String>();
    LOCAL_HOSTS.stream().sorted().forEach(names::add);
    hosts.stream().sorted().forEach(names::add);
    Path certificateFile = directory.resolve("apiserver.crt");
    Path keyFile = directory.resolve("apiserver.key");
    if (Files.exists(certificateFile) && Files.exists(keyFile)) {
      X509Certificate kept = PemFiles.readCertificate(certificateFile);
      if (lasts(kept, now) && signedHere(kept) && covers(kept, names)) {
        return new ServerIdentity(PemFiles.readKey(keyFile), kept, certificate);
      }
    }
    KeyPair pair = newKeyPair();
    GeneralName[] alternatives =
        names.stream()
            .map(name ->
                new GeneralName(
                    InetAddresses.isInetAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName,
                    name))
            .toArray(GeneralName[]::new);
    X509Certificate made =
        issue(SERVER_NAME, pair.getPublic(), now, KeyPurposeId.id_kp_serverAuth, alternatives);
    PemFiles.writeKey(keyFile, pair.getPrivate());
    PemFiles.write(certificateFile, made);
    return new ServerIdentity(pair.getPrivate(), made, certificate);
  }

  private X509Certificate issue(
      X500Name subject,
      PublicKey subjectKey,
      Instant now,
      KeyPurposeId purpose,
      GeneralName... alternatives) {
    try {
      var issuer = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
      var builder =
          builder(issuer, subject, subjectKey, now, VALIDITY)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
              .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose))
              .addExtension(
                  Extension.authorityKeyIdentifier,
                  false,
                  new JcaX509ExtensionUtils()
                      .createAuthorityKeyIdentifier(certificate.getPublicKey()));
      if (alternatives.length > 0) {
        builder.addExtension(
            Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
      }
      return sign(builder, key);
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(NO_CERTIFICATE, e);
    }
  }

  private boolean signedHere(X509Certificate other) {
    try {
      other.verify(certificate.getPublicKey());
      return true;
    } catch (GeneralSecurityException notOurs) {
      return false;
    }
  }

  private static boolean covers(X509Certificate certificate, Set<String> hosts) {
    Set<String> covered = namesOf(certificate);
    return hosts.stream().map(CertificateAuthority::canonical).allMatch(covered::contains);
  }

  /** The DNS names and IP addresses that a certificate is for, in {@link #canonical} spelling. */
  static Set<String> namesOf(X509Certificate certificate) {
    try {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      return alternatives == null
          ? Set.of()
          : alternatives.stream()
              .map(alternative -> canonical(String.valueOf(alternative.getLast())))
              .collect(Collectors.toSet());
    } catch (CertificateParsingException unreadable) {
      return Set.of();
    }
  }

  /** One spelling per address: {@code 0:0:0:0:0:0:0:1} and {@code ::1} are the same host. */
  static String canonical(String host) {
    return InetAddresses.isInetAddress(host)
        ? InetAddresses.forString(host).getHostAddress()
        : host;
  }

  private static boolean lasts(X509Certificate certificate, Instant now) {
    return certificate.getNotAfter().toInstant().isAfter(now.plus(RENEW_BEFORE));
  }

  private static KeyPair newKeyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot make a P-256 key", e);
    }
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, PublicKey key, Instant now, Duration validity) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(127, new SecureRandom()).add(BigInteger.ONE),
        Date.from(now.minus(BACKDATED)),
        Date.from(now.plus(validity)),
        subject,
        key);
  }

  private static X509Certificate sign(
      org.bouncycastle.cert.X509v3CertificateBuilder builder, PrivateKey signer)
      throws OperatorCreationException, GeneralSecurityException {
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(
                new JcaContentSignerBuilder(
                        signer instanceof RSAKey ? "SHA256withRSA" : "SHA256withECDSA")
                    .build(signer)));
  }
}
