package dev.mooring.runtime.testing;

import java.util.List;
import java.util.TreeMap;

/** What came of many pairs. */
public record RaceTally(List<RacePair> pairs) {
  public RaceTally {
    pairs = List.copyOf(pairs);
  }

  public long overlapped() {
    return pairs.stream().filter(RacePair::overlapped).count();
  }

  /** References to nothing, where the two requests raced. */
  public long dangling() {
    return pairs.stream().filter(pair -> pair.dangling() && pair.overlapped()).count();
  }

  public long anyDangling() {
    return pairs.stream().filter(RacePair::dangling).count();
  }

  public long deletions() {
    return pairs.stream().filter(pair -> pair.deletion().succeeded()).count();
  }

  public long references() {
    return pairs.stream().filter(pair -> pair.reference().succeeded()).count();
  }

  public long bothRefused() {
    return pairs.stream()
        .filter(pair -> !pair.deletion().succeeded() && !pair.reference().succeeded())
        .count();
  }

  /** How often each status came, for the deletion and the reference; 0 is success. */
  private String codes() {
    var codes = new TreeMap<String, Integer>();
    for (RacePair pair : pairs) {
      codes.merge(pair.deletion().code() + "/" + pair.reference().code(), 1, Integer::sum);
    }
    return codes.toString();
  }

  @Override
  public String toString() {
    return ("%d pairs: %d overlapped, %d deletions and %d references succeeded, %d times neither,"
            + " %d dangling references; deletion/reference codes %s")
        .formatted(
            pairs.size(),
            overlapped(),
            deletions(),
            references(),
            bothRefused(),
            anyDangling(),
            codes());
  }
}
