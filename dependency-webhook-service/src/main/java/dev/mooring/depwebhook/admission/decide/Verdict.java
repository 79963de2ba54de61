package dev.mooring.depwebhook.admission.decide;

import java.util.Objects;

/** The answer to a review of a deletion. */
public sealed interface Verdict {
  /** Go ahead. */
  record Allow(Ground ground) implements Verdict {
    public Allow {
      Objects.requireNonNull(ground, "ground");
    }
  }

  /** Something refers to the target. */
  record Deny(String message) implements Verdict {
    public Deny {
      Objects.requireNonNull(message, "message");
    }
  }

  /** Not known, therefore refused; asking again may help. */
  record Unready(Missing what, String message) implements Verdict {
    public Unready {
      Objects.requireNonNull(what, "what");
      Objects.requireNonNull(message, "message");
    }
  }

  /** Why a deletion may go ahead. */
  enum Ground {
    SKIP_PROTECTION,
    NO_RULES,
    NO_REFERRERS
  }

  /** What is not known. */
  enum Missing {
    RULES,
    REFERRERS
  }
}
