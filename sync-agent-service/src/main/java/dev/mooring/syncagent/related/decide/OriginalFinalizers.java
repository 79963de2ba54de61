package dev.mooring.syncagent.related.decide;

import dev.mooring.languages.Hashes;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.ArrayList;
import java.util.List;

/**
 * The finalizers on originals in kcp: one of each agent's own, and the one that all agents share,
 * which is what the Go agent looks for.
 *
 * @param own this agent's
 */
public record OriginalFinalizers(String own) {
  private static final String PREFIX = SyncMarks.FINALIZER + "-";
  private static final int HASH_LENGTH = 8;

  public static OriginalFinalizers of(String agentName) {
    return new OriginalFinalizers(PREFIX + Hashes.sha1(agentName).substring(0, HASH_LENGTH));
  }

  boolean areOn(KubeObject original) {
    return original.hasFinalizer(own) && original.hasFinalizer(SyncMarks.FINALIZER);
  }

  /** Whether {@link #removedFrom} would change anything. */
  public boolean remainOn(KubeObject original) {
    return !removedFrom(original).equals(original.finalizers());
  }

  List<String> addedTo(KubeObject original) {
    var finalizers = new ArrayList<>(original.finalizers());
    for (String finalizer : List.of(SyncMarks.FINALIZER, own)) {
      if (!finalizers.contains(finalizer)) {
        finalizers.add(finalizer);
      }
    }
    return List.copyOf(finalizers);
  }

  /** Without this agent's, and without the shared one unless another agent still holds it. */
  public List<String> removedFrom(KubeObject original) {
    List<String> others =
        original.finalizers().stream().filter(finalizer -> !finalizer.equals(own)).toList();
    return others.stream().anyMatch(finalizer -> finalizer.startsWith(PREFIX))
        ? others
        : others.stream().filter(finalizer -> !finalizer.equals(SyncMarks.FINALIZER)).toList();
  }
}
