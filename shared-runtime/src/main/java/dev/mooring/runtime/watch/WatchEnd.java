package dev.mooring.runtime.watch;

import dev.mooring.runtime.client.KubeFailure;

/** How a watch ended. */
sealed interface WatchEnd {
  /** The server ended it when it was asked to. */
  record Timely() implements WatchEnd {}

  /** The server ended it in the ordinary way, but before it was asked to. */
  record Early() implements WatchEnd {}

  record Broken(KubeFailure cause) implements WatchEnd {}

  /** It was given up: no event came for too long. */
  record Silent() implements WatchEnd {}
}
