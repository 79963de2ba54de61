package dev.mooring.sandbox.kcp.export.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import java.util.LinkedHashMap;
import java.util.List;

/** An APIExport's identity: the secret it names or is given, and the hash of that secret's key. */
public final class ExportPlanner {
  static final String IDENTITY_VALID = "IdentityValid";

  /** The next write for an APIExport. */
  public sealed interface Step {
    /** Make the secret of the export's name, with a fresh key. */
    record MakeSecret() implements Step {}

    record Update(KubeObject export) implements Step {}

    record Await() implements Step {}
  }

  private ExportPlanner() {}

  /** The secret that holds the identity: the one the spec names, else the one it will be given. */
  public static SecretReference secret(KubeObject export) {
    String name = export.text("spec", "identity", "secretRef", "name");
    return name.isEmpty()
        ? new SecretReference(KcpNames.IDENTITY_NAMESPACE, export.name())
        : new SecretReference(export.text("spec", "identity", "secretRef", "namespace"), name);
  }

  /** A secret in the export's own workspace. */
  public record SecretReference(String namespace, String name) {}

  /** What {@link #secret} holds. */
  public sealed interface Identity {
    record NoSecret() implements Identity {}

    record NoKey() implements Identity {}

    /**
     * @param hash of the secret's key
     */
    record Known(String hash) implements Identity {}
  }

  /**
   * The next write. A secret that is there is never replaced, be it without a key: its owner may
   * yet fill it in, and meanwhile the export says what is missing.
   */
  public static Step next(KubeObject export, Identity identity, String now) {
    if (export.text("spec", "identity", "secretRef", "name").isEmpty()) {
      if (identity instanceof Identity.NoSecret) {
        return new Step.MakeSecret();
      }
      var reference = new LinkedHashMap<String, Object>();
      reference.put("name", export.name());
      reference.put("namespace", KcpNames.IDENTITY_NAMESPACE);
      return new Step.Update(export.with(reference, "spec", "identity", "secretRef"));
    }
    KubeObject after =
        switch (identity) {
          case Identity.NoSecret() ->
              unverified(
                  export,
                  secret(export).namespace().isEmpty()
                      ? "the server could not find the requested resource"
                      : "secrets \"" + secret(export).name() + "\" not found",
                  now);
          case Identity.NoKey() -> unverified(export, "secret is missing data.key", now);
          case Identity.Known(String hash) -> identified(export, hash, now);
        };
    return after.equals(export) ? new Step.Await() : new Step.Update(after);
  }

  /** The names of the schemas of an export, {@code v1alpha2}, in its order. */
  public static List<String> schemaNames(KubeObject export) {
    return export.list("spec", "resources").stream()
        .map(resource -> Trees.text(resource, "schema"))
        .toList();
  }

  private static KubeObject unverified(KubeObject export, String why, String now) {
    return Conditions.unmet(
        export, IDENTITY_VALID, Severity.ERROR, "IdentityVerificationFailed", why, now);
  }

  private static KubeObject identified(KubeObject export, String hash, String now) {
    String present = export.text("status", "identityHash");
    if (!present.isEmpty() && !present.equals(hash)) {
      // Objects are stored under the identity: it never changes once it is known.
      return Conditions.unmet(
          export,
          IDENTITY_VALID,
          Severity.ERROR,
          "IdentityVerificationFailed",
          "hash mismatch: identity secret hash \"%s\" must match status.identityHash \"%s\""
              .formatted(hash, present),
          now);
    }
    return Conditions.met(export, IDENTITY_VALID, now).with(hash, "status", "identityHash");
  }
}
