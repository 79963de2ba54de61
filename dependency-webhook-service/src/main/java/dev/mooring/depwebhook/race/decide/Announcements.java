package dev.mooring.depwebhook.race.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All references to targets of one name that were announced lately, oldest first; bounded. */
public record Announcements(List<Announcement> all) {
  /** Seven a second to one target, for as long as they are remembered. */
  public static final int COUNT_MAX = 1_000;

  /** Kubernetes allows 256 KiB of annotations; intents and the target's name need 30,000. */
  public static final int WEIGHT_MAX = 230_000;

  public static final Announcements NONE = new Announcements(List.of());

  public Announcements {
    all = List.copyOf(all);
  }

  /** With one more and without those that are forgotten; empty if there is no room. */
  public Optional<Announcements> with(Announcement announcement, Instant now, RaceTimings terms) {
    List<Announcement> more =
        Stream.concat(remembered(now, terms), Stream.of(announcement)).toList();
    return more.size() > COUNT_MAX
            || more.stream().mapToInt(Announcement::weight).sum() > WEIGHT_MAX
        ? Optional.empty()
        : Optional.of(new Announcements(more));
  }

  public Announcements without(String id) {
    return new Announcements(all.stream().filter(one -> !one.id().equals(id)).toList());
  }

  /** With these known to have been carried out. */
  public Announcements committed(Set<String> ids) {
    return new Announcements(
        all.stream().map(one -> ids.contains(one.id()) ? one.committed() : one).toList());
  }

  /** Those of objects of this uid that nobody has yet seen carried out. */
  public Set<String> openCreationsOf(String uid) {
    return uid.isEmpty()
        ? Set.of()
        : all.stream()
            .filter(one -> one.dependent().uid().equals(uid))
            .filter(one -> one.fate() == Announcement.Fate.OPEN)
            .filter(one -> one.origin() instanceof Announcement.Origin.Creation)
            .map(Announcement::id)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Those that may be about a target in this namespace, and that an index may not show yet. */
  List<Announcement> about(String namespace, Instant now, RaceTimings terms) {
    return remembered(now, terms).filter(one -> one.concerns(namespace)).toList();
  }

  /** Whether nothing would be lost with all of them. */
  public boolean forgotten(Instant now, RaceTimings terms) {
    return remembered(now, terms).findAny().isEmpty();
  }

  private Stream<Announcement> remembered(Instant now, RaceTimings terms) {
    return all.stream().filter(one -> terms.rememberedAt(one.at(), now));
  }
}
