package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.dependency.GroupResource;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/** What became of protecting one provider's workspace. */
public sealed interface Installation {
  /** The workspace's API server asks the webhook before it deletes any of these. */
  record Installed(SortedSet<GroupResource> resources) implements Installation {
    public Installed {
      resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    }
  }

  /** Not as it should be. */
  record Blocked(Cause cause, String message) implements Installation {
    public Blocked {
      Objects.requireNonNull(cause, "cause");
      Objects.requireNonNull(message, "message");
    }
  }

  /** Not tried yet. */
  record Pending() implements Installation {}

  /** What is in the way. The names are reasons of conditions. */
  enum Cause {
    /** The provider has to bind the APIExport. */
    PROVIDER_NOT_BOUND("ProviderNotBound"),
    /** The provider has to accept the permission claim. */
    CLAIM_NOT_ACCEPTED("ClaimNotAccepted"),
    /** It is tried again. */
    WRITE_FAILED("WriteFailed");

    private final String reason;

    Cause(String reason) {
      this.reason = reason;
    }

    public String reason() {
      return reason;
    }
  }
}
