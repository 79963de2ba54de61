package dev.mooring.sandbox.builtin.core;

import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;

/** What the spec of a CertificateSigningRequest has to keep. */
public final class SigningRequestRules {
  private static final String LEGACY = "kubernetes.io/legacy-unknown";
  private static final int SECONDS_MIN = 600;
  private static final TreeSet<String> USAGES =
      new TreeSet<>(
          List.of(
              "signing",
              "digital signature",
              "content commitment",
              "key encipherment",
              "key agreement",
              "data encipherment",
              "cert sign",
              "crl sign",
              "encipher only",
              "decipher only",
              "any",
              "server auth",
              "client auth",
              "code signing",
              "email protection",
              "s/mime",
              "ipsec end system",
              "ipsec tunnel",
              "ipsec user",
              "timestamping",
              "ocsp signing",
              "microsoft sgc",
              "netscape sgc"));

  private SigningRequestRules() {}

  static List<FieldError> ofSpec(KubeObject object) {
    var errors = new FieldErrors();
    String request = object.text("spec", "request");
    problemOfRequest(request)
        .ifPresent(why -> errors.invalid("spec.request", request.isEmpty() ? null : request, why));
    usages(Trees.texts(object.at("spec", "usages")), errors);
    signer(object.text("spec", "signerName"), errors);
    if (object.at("spec", "expirationSeconds") instanceof Long seconds && seconds < SECONDS_MIN) {
      errors.invalid(
          "spec.expirationSeconds",
          seconds,
          "may not specify a duration less than 600 seconds (10 minutes)");
    }
    return errors;
  }

  /** The organizations that the request asks a certificate for; empty for no request. */
  public static List<String> organizations(KubeObject object) {
    try {
      var organizations = new ArrayList<String>();
      for (RDN part : parsed(object.text("spec", "request")).getSubject().getRDNs(BCStyle.O)) {
        organizations.add(IETFUtils.valueToString(part.getFirst().getValue()));
      }
      return organizations;
    } catch (IOException noRequest) {
      return List.of();
    }
  }

  private static JcaPKCS10CertificationRequest parsed(String encoded) throws IOException {
    try (var reader = new PemReader(new StringReader(pem(encoded)))) {
      PemObject block = reader.readPemObject();
      if (block == null || !block.getType().equals("CERTIFICATE REQUEST")) {
        throw new IOException("PEM block type must be CERTIFICATE REQUEST");
      }
      return new JcaPKCS10CertificationRequest(block.getContent());
    }
  }

  private static Optional<String> problemOfRequest(String encoded) {
    try {
      JcaPKCS10CertificationRequest request = parsed(encoded);
      return request.isSignatureValid(
              new JcaContentVerifierProviderBuilder().build(request.getPublicKey()))
          ? Optional.empty()
          : Optional.of("x509: ECDSA verification failure");
    } catch (IOException | GeneralSecurityException | OperatorCreationException | PKCSException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Why a text is no PEM of certificates; empty if it is, or empty itself. */
  static Optional<String> problemOfCertificate(String encoded) {
    if (encoded.isEmpty()) {
      return Optional.empty();
    }
    int blocks = 0;
    try (var parser = new PEMParser(new StringReader(pem(encoded)))) {
      for (Object block = parser.readObject(); block != null; block = parser.readObject()) {
        if (!(block instanceof X509CertificateHolder)) {
          return Optional.of("only CERTIFICATE PEM blocks are allowed");
        }
        blocks++;
      }
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    return blocks == 0
        ? Optional.of("must contain at least one CERTIFICATE PEM block")
        : Optional.empty();
  }

  private static String pem(String encoded) {
    return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
  }

  private static void usages(List<String> usages, FieldErrors errors) {
    if (usages.isEmpty()) {
      errors.required("spec.usages", "");
    }
    for (int i = 0; i < usages.size(); i++) {
      if (!USAGES.contains(usages.get(i))) {
        errors.notSupported("spec.usages[" + i + "]", usages.get(i), List.copyOf(USAGES));
      }
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < usages.size(); i++) {
      if (!seen.add(usages.get(i))) {
        errors.duplicate("spec.usages[" + i + "]", usages.get(i));
      }
    }
  }

  private static void signer(String name, FieldErrors errors) {
    String field = "spec.signerName";
    if (name.isEmpty()) {
      errors.required(field, "");
      return;
    }
    if (name.equals(LEGACY)) {
      errors.invalid(field, name, "the legacy signerName is not allowed via this API version");
      return;
    }
    String[] segments = name.split("/", -1);
    if (segments.length != 2) {
      errors.invalid(
          field,
          name,
          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
      return;
    }
    labels(segments[0], errors, field);
    if (segments[0].indexOf('.') < 0) {
      errors.invalid(
          field, segments[0], "should be a domain with at least two segments separated by dots");
    }
    labels(segments[1], errors, field);
  }

  private static void labels(String segment, FieldErrors errors, String field) {
    for (String label : segment.split("\\.", -1)) {
      List<String> violations = NameRules.label(label);
      violations.forEach(text ->
          errors.invalid(
              field, segment, "validating label " + GoQuotes.quote(label) + ": " + text));
      if (!violations.isEmpty()) {
        return;
      }
    }
  }
}
