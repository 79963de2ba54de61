package dev.mooring.runtime.signature;

import dev.mooring.model.identity.LogicalCluster;
import java.util.Optional;

/**
 * The segment of a webhook URL that names the provider: {@code <provider>} or {@code
 * <provider>.<key id>.<signature>}.
 *
 * @param provider empty if the URL names none, or nothing that could be one
 * @param keyId empty if it is not signed
 * @param signature empty if it is not signed; not checked yet
 */
public record ReviewSegment(Optional<LogicalCluster> provider, String keyId, String signature) {
  /** Anything; nothing is thrown. */
  public static ReviewSegment parse(String text) {
    String[] parts = text.split("\\.", 3);
    return new ReviewSegment(
        LogicalCluster.parse(parts[0]),
        parts.length == 3 ? parts[1] : "",
        parts.length == 3 ? parts[2] : "");
  }

  /** The name of the provider; empty if there is none. */
  public String providerName() {
    return provider.map(LogicalCluster::name).orElse("");
  }
}
