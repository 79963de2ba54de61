package dev.mooring.console;

import java.time.Instant;
import java.util.List;

/**
 * One page, as the template renders it.
 *
 * @param navigation of every page; empty for callers who may see none
 * @param login whether the caller is asked for a token, or may log out
 * @param replica the process that answers; a replica knows its own state only
 */
record Page(
    String service,
    String title,
    List<Entry> navigation,
    List<Section> sections,
    Login login,
    String replica,
    Instant at) {
  /** A link of the navigation. */
  record Entry(String path, String title) {}

  /** What a caller may do about who he is. */
  enum Login {
    /** Paste a token. */
    ASKED,
    /** Log out: a cookie says who he is. */
    BY_COOKIE,
    /** Nothing: a proxy says who he is, or the endpoints are open. */
    NOT_NEEDED
  }
}
