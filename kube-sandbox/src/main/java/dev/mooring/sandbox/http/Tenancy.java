package dev.mooring.sandbox.http;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.request.LogicalClusterResolver;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a server with logical clusters is asked about a request in addition.
 *
 * @param homes the user's own workspace; empty while it is made, which begins when a user asks for
 *     the first time. Throws {@code ApiFailure} for a user who may not have one
 * @param reviewsOfRights SubjectAccessReviews that ask for rights alone, as if the user might enter
 *     the workspace
 * @param everywhere of {@code /clusters/*}
 * @param metadataEverywhere as {@code everywhere}, for those who want no more of objects than their
 *     metadata
 */
public record Tenancy(
    LogicalClusterResolver clusters,
    VirtualWorkspaces virtualWorkspaces,
    Function<UserInfo, Optional<KubeObject>> homes,
    ResourceCatalog reviewsOfRights,
    ApiView everywhere,
    ApiView metadataEverywhere) {}
