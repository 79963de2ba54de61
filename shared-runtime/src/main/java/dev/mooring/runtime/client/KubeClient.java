package dev.mooring.runtime.client;

import java.net.URI;

/** Reads, writes and watches of one cluster. */
public interface KubeClient extends KubeReader, KubeWriter {
  /** The URL below which {@code api/} and {@code apis/} lie; no trailing slash. */
  URI url();

  /**
   * Opens a watch that delivers to {@code sink}, in order, until it is closed from either side.
   * Returns once the server has accepted it; refusal is a {@link KubeFailure}.
   */
  WatchHandle watch(dev.mooring.model.identity.ResourceType type, WatchQuery query, WatchSink sink);
}
