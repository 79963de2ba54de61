package dev.mooring.cli.leave;

/** What becomes of objects; in lower case, as users type it. */
enum Choice {
  keep,
  delete
}
