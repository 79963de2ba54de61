package dev.mooring.sandbox.security.certificate;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** Certificates and keys as PEM files; written whole or not at all. */
public final class PemFiles {
  private PemFiles() {}

  /** The file as it is. */
  public static String readText(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  static X509Certificate readCertificate(Path file) {
    try (var in = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    } catch (CertificateException e) {
      throw new IllegalStateException(file + " holds no certificate; remove it and start again", e);
    }
  }

  /** All that the file holds; none if there is no PEM block in it. */
  static List<X509Certificate> readCertificates(Path file) {
    try (var in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
          .map(X509Certificate.class::cast)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    } catch (CertificateException e) {
      throw new IllegalArgumentException(file + " holds no PEM certificates", e);
    }
  }

  /** In PKCS #8, or in the older forms that openssl writes. */
  static PrivateKey readKey(Path file) {
    try (var in = Files.newBufferedReader(file)) {
      return key(in)
          .orElseThrow(
              () -> new IllegalStateException(file + " holds no key; remove it and start again"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the key in " + file, e);
    }
  }

  /** As {@link #readKey} reads; empty if there is none. */
  static Optional<PrivateKey> key(Reader pem) throws IOException {
    return switch (new PEMParser(pem).readObject()) {
      case PrivateKeyInfo info -> Optional.of(new JcaPEMKeyConverter().getPrivateKey(info));
      case PEMKeyPair pair -> Optional.of(new JcaPEMKeyConverter().getKeyPair(pair).getPrivate());
      case null, default -> Optional.empty();
    };
  }

  static PublicKey readPublicKey(Path file) {
    try (var parser = new PEMParser(Files.newBufferedReader(file))) {
      if (parser.readObject() instanceof SubjectPublicKeyInfo info) {
        return new JcaPEMKeyConverter().getPublicKey(info);
      }
      throw new IllegalStateException(file + " holds no public key; remove it and start again");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the key in " + file, e);
    }
  }

  static void writeKey(Path file, PrivateKey key) {
    writePrivately(file, keyPem(key));
  }

  static String keyPem(PrivateKey key) {
    try {
      return pem(new JcaPKCS8Generator(key, null));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot encode a key", e);
    }
  }

  /** Replaces the file with one that only its owner can read. */
  public static void writePrivately(Path file, String text) {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(draft);
      if (Files.getFileStore(file.toAbsolutePath().getParent())
          .supportsFileAttributeView("posix")) {
        Files.createFile(
            draft,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.writeString(draft, text);
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** A certificate or a public key. */
  static void write(Path file, Object content) {
    try {
      Files.writeString(file, pem(content));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  static String pem(Object content) {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      writer.writeObject(content);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot encode a certificate or key", e);
    }
    return text.toString();
  }
}
