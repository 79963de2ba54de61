package dev.mooring.cli.leave;

/** What becomes of the APIExport and its schemas; in lower case, as users type it. */
enum ExportObjects {
  keep,
  delete
}
