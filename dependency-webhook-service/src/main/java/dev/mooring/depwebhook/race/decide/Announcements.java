package dev.mooring.depwebhook.race.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The announced references to all targets of one name, oldest first; bounded. */
public record Announcements(List<Announcement> all) {
  /** Seven a second to one target, for as long as records are kept. */
  public static final int COUNT_MAX = 1_000;

  /** Kubernetes allows 256 KiB of annotations; intents and the target's name need 30,000. */
  public static final int WEIGHT_MAX = 230_000;

  public static final Announcements NONE = new Announcements(List.of());

  public Announcements {
    all = List.copyOf(all);
  }

  /** Adds one and drops expired ones; empty if there is no room. */
  public Optional<Announcements> with(Announcement announcement, Instant now, RaceTimings timings) {
    List<Announcement> more =
        Stream.concat(unexpired(now, timings), Stream.of(announcement)).toList();
    return more.size() > COUNT_MAX
            || more.stream().mapToInt(Announcement::weight).sum() > WEIGHT_MAX
        ? Optional.empty()
        : Optional.of(new Announcements(more));
  }

  public Announcements without(String id) {
    return new Announcements(all.stream().filter(one -> !one.id().equals(id)).toList());
  }

  /** Those that may be about a target in this namespace, and that an index may not show yet. */
  List<Announcement> about(String namespace, Instant now, RaceTimings timings) {
    return unexpired(now, timings).filter(one -> one.concerns(namespace)).toList();
  }

  public boolean isExpired(Instant now, RaceTimings timings) {
    return unexpired(now, timings).findAny().isEmpty();
  }

  private Stream<Announcement> unexpired(Instant now, RaceTimings timings) {
    return all.stream().filter(one -> timings.keptAt(one.at(), now));
  }
}
