package dev.mooring.sandbox.http;

import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.request.HomeWorkspaces;
import dev.mooring.sandbox.api.request.LogicalClusterResolver;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;

/**
 * What a server with logical clusters is asked about a request in addition.
 *
 * @param reviewsOfRights SubjectAccessReviews that ask for rights alone, as if the user might enter
 *     the workspace
 * @param everywhere of {@code /clusters/*}
 * @param metadataEverywhere as {@code everywhere}, for those who want no more of objects than their
 *     metadata
 */
public record Tenancy(
    LogicalClusterResolver clusters,
    VirtualWorkspaces virtualWorkspaces,
    HomeWorkspaces homes,
    ResourceCatalog reviewsOfRights,
    ApiView everywhere,
    ApiView metadataEverywhere) {}
