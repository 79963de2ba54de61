package dev.mooring.console;

import java.util.List;

/**
 * The content of one service's console: read-only pages at the management port. Called for each
 * request, by several threads; reads what the service knows, and asks no server for more than one
 * object.
 */
public interface Console {
  /** The service's name for people, such as {@code Sync agent}. */
  String service();

  /** What the service does at the moment, a sentence each; on the first page, after its health. */
  List<Statement> summary();

  /** The pages after the first, in the order of the navigation. */
  List<View> views();
}
