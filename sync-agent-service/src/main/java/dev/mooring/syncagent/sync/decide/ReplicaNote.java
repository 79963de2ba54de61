package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.sync.decide.SyncState.Problem;
import dev.mooring.syncagent.sync.decide.SyncState.Running;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a replica tells the one that publishes, as text of {@value #LENGTH_MAX} characters at most:
 * by PublishedResource, how many of its own objects are synced and what keeps others from it.
 */
public final class ReplicaNote {
  /** Annotations of an object together have 256 KiB. */
  static final int LENGTH_MAX = 100_000;

  private ReplicaNote() {}

  public static String of(Map<String, SyncState> states) {
    var note = new LinkedHashMap<String, Object>();
    states.forEach((name, state) -> {
      if (state instanceof Running(var counts, var problems)) {
        note.put(
            name,
            Trees.ordered(
                "objects",
                counts.map(ReplicaNote::numbers).orElse(List.of()),
                "problems",
                problems.stream()
                    .map(problem -> List.of(problem.reason(), problem.message()))
                    .toList()));
      }
    });
    String text = KubeJson.writeText(note);
    return text.length() > LENGTH_MAX ? "{}" : text;
  }

  /**
   * Of all replicas together; counted only if each of them has counted.
   *
   * @param notes of the others
   */
  public static SyncState merged(String publishedName, SyncState own, Collection<String> notes) {
    if (!(own instanceof Running(var counts, var problems)) || notes.isEmpty()) {
      return own;
    }
    Optional<ObjectCounts> sum = counts;
    var all = new ArrayList<Problem>(problems);
    for (String note : notes) {
      Map<String, Object> other = Trees.map(read(note), publishedName);
      List<Object> numbers = Trees.list(other, "objects");
      sum = sum.flatMap(before -> plus(before, numbers));
      problems(other).filter(problem -> !all.contains(problem)).forEach(all::add);
    }
    return new Running(sum, all);
  }

  private static @Nullable Object read(String note) {
    try {
      return KubeJson.read(note);
    } catch (MalformedJson e) {
      return null; // a replica of another version may say it otherwise, or not yet
    }
  }

  private static List<Object> numbers(ObjectCounts counts) {
    return List.of(counts.synced(), counts.pending(), counts.failed());
  }

  private static Optional<ObjectCounts> plus(ObjectCounts before, List<Object> numbers) {
    return numbers.size() == 3
            && numbers.get(0) instanceof Long synced
            && numbers.get(1) instanceof Long pending
            && numbers.get(2) instanceof Long failed
        ? Optional.of(
            new ObjectCounts(
                before.synced() + synced, before.pending() + pending, before.failed() + failed))
        : Optional.empty();
  }

  private static Stream<Problem> problems(Map<String, Object> other) {
    return Trees.list(other, "problems").stream()
        .map(Trees::texts)
        .filter(texts -> texts.size() == 2)
        .map(texts -> new Problem(texts.getFirst(), texts.getLast()));
  }
}
