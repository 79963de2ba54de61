package dev.mooring.sandbox.api.registry;

import java.util.Locale;

/** What a request does to a resource; the lower-case name is the verb of RBAC and of discovery. */
public enum Verb {
  CREATE,
  DELETE,
  DELETECOLLECTION,
  GET,
  LIST,
  PATCH,
  UPDATE,
  WATCH;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
