package dev.mooring.sandbox.api.request;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Why a path does not lead to a logical cluster of the server, although its workspaces exist. */
public sealed interface Detour {
  /** A workspace that is mounted: requests go to this URL. */
  record Mounted(URI url) implements Detour {
    /** Empty for a text that is no absolute URL. */
    public static Optional<Detour> at(String url) {
      try {
        URI parsed = new URI(url);
        return parsed.getHost() == null ? Optional.empty() : Optional.of(new Mounted(parsed));
      } catch (URISyntaxException e) {
        return Optional.empty();
      }
    }
  }

  /** A workspace that is unavailable. */
  record Unavailable() implements Detour {}
}
