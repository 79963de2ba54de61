package dev.mooring.runtime.export;

/** Whether an {@link ExportView} shows all there is. */
public sealed interface ExportState {
  /** Every endpoint's objects have been listed. */
  record Ready() implements ExportState {}

  /** Not yet; the reason may change. */
  record Waiting(String reason) implements ExportState {}
}
