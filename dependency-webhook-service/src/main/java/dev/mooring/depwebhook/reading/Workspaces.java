package dev.mooring.depwebhook.reading;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.KubeReader;

/**
 * Access to the workspaces of consumers and providers; sends no request by itself. Thread-safe.
 *
 * @param <R> what may be done there: reads, which may be shared or retried, or writes as well
 */
@FunctionalInterface
public interface Workspaces<R extends KubeReader> {
  R in(LogicalCluster cluster);
}
