package dev.mooring.model.dependency;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What was found to refer to a target, bounded.
 *
 * @param named the first of them in order, at most {@value #NAMED_MAX}
 * @param hidden how many of the first are not named, as the reader may not list them
 * @param further how many were found beyond the first
 * @param search whether there may be more that were not looked up
 */
public record Blockers(List<Blocker> named, int hidden, int further, Search search) {
  /** Keeps the message readable. */
  public static final int NAMED_MAX = 10;

  public static final Blockers NONE = new Blockers(List.of(), 0, Search.COMPLETE);

  /** How far the search went. */
  public enum Search {
    COMPLETE,
    /** Enough was found to refuse, so the rest was not read. */
    STOPPED_EARLY
  }

  public Blockers {
    named = List.copyOf(named);
    int first = named.size() + hidden;
    if (hidden < 0 || first > NAMED_MAX || further < 0 || (further > 0 && first < NAMED_MAX)) {
      throw new IllegalArgumentException(
          named.size() + " named, " + hidden + " hidden, " + further + " further");
    }
  }

  /** Of which every reader may know the names. */
  public Blockers(List<Blocker> named, int further, Search search) {
    this(named, 0, further, search);
  }

  /** Each counted once, however often it was found. */
  public static Blockers of(Collection<Blocker> found, Search search) {
    var sorted = new TreeSet<>(found);
    return new Blockers(
        sorted.stream().limit(NAMED_MAX).toList(), Math.max(0, sorted.size() - NAMED_MAX), search);
  }

  public boolean isEmpty() {
    return named.isEmpty() && hidden == 0;
  }

  /** The same, naming only those that a reader may know; the others are counted. */
  public Blockers naming(Predicate<Blocker> shown) {
    List<Blocker> left = named.stream().filter(shown).toList();
    return new Blockers(left, hidden + named.size() - left.size(), further, search);
  }

  /**
   * {@code cannot delete <resource>/<name>: still referenced by Kind/name, …}, then {@code and N
   * more}, or {@code and more} where the search stopped early. Where the reader may know no name:
   * {@code N objects that are not shown to you}. Only for blockers that are not empty.
   */
  public String denial(Target target) {
    if (isEmpty()) {
      throw new IllegalStateException("nothing refers to " + target.key());
    }
    return "cannot delete " + named(target) + ": still " + references(target);
  }

  /** {@code <resource>/<name> is still referenced by …}, as {@link #denial} goes on. */
  public String remark(Target target) {
    return named(target) + " is still " + references(target);
  }

  private static String named(Target target) {
    return target.type().resource() + "/" + target.key().name();
  }

  private String references(Target target) {
    int unnamed = hidden + further;
    if (named.isEmpty()) {
      return "referenced by "
          + switch (search) {
            case COMPLETE -> unnamed == 1 ? "1 object that is" : unnamed + " objects that are";
            case STOPPED_EARLY -> "objects that are";
          }
          + " not shown to you";
    }
    return "referenced by "
        + String.join(", ", named.stream().map(b -> b.describedFor(target)).toList())
        + switch (search) {
          case COMPLETE -> unnamed == 0 ? "" : " and " + unnamed + " more";
          case STOPPED_EARLY -> " and more";
        };
  }
}
