package dev.mooring.sandbox.http;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.ApiView;
import dev.mooring.sandbox.api.DocumentSource;
import dev.mooring.sandbox.api.LogicalClusterResolver;
import dev.mooring.sandbox.api.VirtualWorkspaces;
import dev.mooring.sandbox.fault.FaultMenu;
import dev.mooring.sandbox.security.Authenticator;
import dev.mooring.sandbox.security.Authorizer;
import dev.mooring.sandbox.security.Impersonation;
import java.util.List;
import java.util.Optional;

/**
 * What the HTTP side asks about a request.
 *
 * @param authorizer for bare paths; views bring their own
 * @param clusters empty for a server without logical clusters
 * @param documents asked in order
 * @param faults what goes wrong on purpose
 */
public record ServedParts(
    Authenticator authenticator,
    Impersonation impersonation,
    Authorizer authorizer,
    Views views,
    Optional<LogicalClusterResolver> clusters,
    VirtualWorkspaces virtualWorkspaces,
    List<DocumentSource> documents,
    FaultMenu faults) {
  /** The views behind {@code /clusters/}. Thread-safe. */
  public interface Views {
    ApiView of(LogicalCluster cluster);

    /** Of {@code /clusters/*}. */
    ApiView everywhere();
  }

  public ServedParts {
    documents = List.copyOf(documents);
  }

  public ServedParts withViews(Views value) {
    return new ServedParts(
        authenticator,
        impersonation,
        authorizer,
        value,
        clusters,
        virtualWorkspaces,
        documents,
        faults);
  }

  public ServedParts withClusters(LogicalClusterResolver value) {
    return new ServedParts(
        authenticator,
        impersonation,
        authorizer,
        views,
        Optional.of(value),
        virtualWorkspaces,
        documents,
        faults);
  }

  public ServedParts withVirtualWorkspaces(VirtualWorkspaces value) {
    return new ServedParts(
        authenticator, impersonation, authorizer, views, clusters, value, documents, faults);
  }
}
