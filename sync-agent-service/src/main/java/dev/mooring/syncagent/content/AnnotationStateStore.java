package dev.mooring.syncagent.content;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.content.decide.ValueDigests;
import dev.mooring.syncagent.published.SyncMarks;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Keeps the state in an annotation of the copy: content and state are one request. */
public record AnnotationStateStore(KubeClient service, ResourceType type) {
  /** Of one state, so that other annotations have room as well. */
  static final int STATE_MAX = 200 * 1024;

  /** Of all annotations of an object together, keys and values (apimachinery's validation). */
  private static final int ANNOTATIONS_MAX = 256 * 1024;

  /** In a cache, in place of a state that equals the copy's own content. */
  private static final String AS_COPY = "=";

  static Optional<Map<String, Object>> find(KubeObject copy) {
    return copy.annotation(SyncMarks.LAST_KNOWN_STATE)
        .flatMap(text ->
            text.equals(AS_COPY) ? Optional.of(SyncedContent.of(copy)) : LastKnownState.read(text));
  }

  /** The copy as a cache holds it: a state that equals the copy's own content is not held twice. */
  public static KubeObject compact(KubeObject copy) {
    return find(copy)
        .filter(state -> ValueDigests.match(state, SyncedContent.of(copy)))
        .map(_ -> copy.with(AS_COPY, "metadata", "annotations", SyncMarks.LAST_KNOWN_STATE))
        .orElse(copy);
  }

  KubeObject create(KubeObject desired, Map<String, Object> state) {
    return service.create(
        type,
        desired.with(
            fitting(desired, state), "metadata", "annotations", SyncMarks.LAST_KNOWN_STATE));
  }

  KubeObject patch(KubeObject copy, Map<String, Object> patch, Map<String, Object> state) {
    String text = fitting(MergePatch.apply(copy, patch), state);
    return service.patch(
        type,
        copy.namespace(),
        copy.name(),
        ConditionalPatch.on(
            copy, ConditionalPatch.withAnnotation(patch, SyncMarks.LAST_KNOWN_STATE, text)));
  }

  /** Throws {@link StateTooLarge} if the copy's other annotations leave no room for the state. */
  private static String fitting(KubeObject desired, Map<String, Object> state) {
    String text = LastKnownState.text(state);
    int others =
        desired.annotations().entrySet().stream()
            .filter(annotation -> !annotation.getKey().equals(SyncMarks.LAST_KNOWN_STATE))
            .mapToInt(annotation -> length(annotation.getKey()) + length(annotation.getValue()))
            .sum();
    int room =
        Math.min(
            STATE_MAX, Math.max(0, ANNOTATIONS_MAX - others - length(SyncMarks.LAST_KNOWN_STATE)));
    int length = length(text);
    if (length > room) {
      throw new StateTooLarge(length, room);
    }
    return text;
  }

  private static int length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
