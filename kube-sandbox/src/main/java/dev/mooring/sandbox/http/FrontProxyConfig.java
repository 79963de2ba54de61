package dev.mooring.sandbox.http;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.request.ClusterPlace;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a front proxy asks about a request.
 *
 * @param places by the segment after {@code /clusters/}: a path or the name of a logical cluster;
 *     empty for what is on no shard
 * @param shards by name; empty for one that is down
 * @param mappings paths that lead to servers elsewhere
 * @param homes by bearer token: the logical cluster of the service account that it names
 */
public record FrontProxyConfig(
    Function<String, Optional<ClusterPlace>> places,
    Function<String, Optional<ApiServer>> shards,
    List<PathMapping> mappings,
    Function<String, Optional<LogicalCluster>> homes) {}
