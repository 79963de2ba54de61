package dev.mooring.runtime.event;

/** How an event is meant. */
public enum EventType {
  NORMAL("Normal"),
  WARNING("Warning");

  private final String text;

  EventType(String text) {
    this.text = text;
  }

  /** As it stands in an Event. */
  String text() {
    return text;
  }
}
