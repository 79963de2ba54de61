package dev.mooring.sandbox.security.oidc;

import dev.mooring.model.identity.LogicalCluster;

/** The issuers whose users the type of a workspace admits there. Thread-safe. */
@FunctionalInterface
public interface WorkspaceIssuers {
  /** Of a server that leaves no workspace the choice. */
  WorkspaceIssuers NONE = (_, _) -> new JwtOutcome.Foreign();

  /** Whose token it is in the logical cluster. May wait for the issuer some seconds. */
  JwtOutcome authenticate(LogicalCluster cluster, String token);
}
