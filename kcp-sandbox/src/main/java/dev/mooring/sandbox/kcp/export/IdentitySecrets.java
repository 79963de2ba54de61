package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.DefaultContent;
import dev.mooring.sandbox.storage.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The secrets that hold the identities of APIExports. Secrets are not shared with other shards.
 * Thread-safe.
 *
 * @param keys makes identity keys: long, random, text
 */
public record IdentitySecrets(LoopbackClient objects, Supplier<String> keys) {
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  /** The content of the identity secret that an object of this shard names or will be given. */
  public ExportPlanner.Identity identity(KubeObject owner, LogicalCluster cluster) {
    ExportPlanner.SecretReference reference = ExportPlanner.secret(owner);
    Optional<StoredObject> secret =
        objects.get(KcpResources.SECRETS, cluster, reference.namespace(), reference.name());
    if (secret.isEmpty()) {
      return new ExportPlanner.Identity.NoSecret();
    }
    String key = secret.get().object().text("data", "key");
    return key.isEmpty()
        ? new ExportPlanner.Identity.NoKey()
        : new ExportPlanner.Identity.Known(KcpHashes.identity(Base64.getDecoder().decode(key)));
  }

  /** Makes the secret of the owner's name, with a fresh key, unless it is there. */
  public void make(ObjectKey owner) {
    objects.ensure(
        KcpResources.NAMESPACES,
        owner.cluster(),
        DefaultContent.namespace(KcpNames.IDENTITY_NAMESPACE, Map.of()));
    String encoded =
        Base64.getEncoder().encodeToString(keys.get().getBytes(StandardCharsets.UTF_8));
    KubeObject secret =
        KubeObject.of(SECRETS, "Secret", KcpNames.IDENTITY_NAMESPACE, owner.name())
            .with(encoded, "data", "key")
            .with("Opaque", "type");
    objects.ensure(KcpResources.SECRETS, owner.cluster(), secret);
  }
}
