package dev.mooring.syncagent.related.decide;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Annotations on the consumer's primary that name its related objects in kcp. */
public final class RelatedAnnotations {
  private static final Pattern KEY =
      Pattern.compile(Pattern.quote(SyncMarks.RELATED_PREFIX) + "(.+)\\.\\d+");

  private RelatedAnnotations() {}

  /** The identifiers of all entries that the annotations name. */
  public static Set<String> identifiers(KubeObject primary) {
    return primary.annotations().keySet().stream()
        .flatMap(key -> identifier(key).stream())
        .collect(Collectors.toSet());
  }

  static Map<String, Object> of(RelatedResource entry, KubeObject primary) {
    var annotations = new HashMap<String, Object>(primary.annotations());
    annotations
        .keySet()
        .removeIf(key -> identifier(key).filter(entry.identifier()::equals).isEmpty());
    return annotations;
  }

  /** Empty if the annotation names no related object. */
  private static Optional<String> identifier(String annotation) {
    Matcher key = KEY.matcher(annotation);
    return key.matches() ? Optional.of(key.group(1)) : Optional.empty();
  }

  /** What is to change; null for annotations that are to be removed. */
  static Map<String, Object> changes(RelatedSet seen) {
    if (seen.entry().origin() == Side.KCP) {
      return Map.of();
    }
    var wanted = new LinkedHashMap<String, Object>();
    for (CopySnapshot one : seen.present()) {
      if (isNamed(one)) {
        wanted.put(
            SyncMarks.RELATED_PREFIX + seen.entry().identifier() + "." + wanted.size(), value(one));
      }
    }
    return MergePatch.diff(seen.annotations(), wanted);
  }

  private static boolean isNamed(CopySnapshot one) {
    return one.copy().object().isPresent()
        && (one.record().isPresent() || one.sharers().ofCopy() == OtherOwners.THEY_WRITE);
  }

  private static String value(CopySnapshot one) {
    ObjectRef ref = one.copy().ref();
    var value = new LinkedHashMap<String, Object>();
    if (!ref.namespace().isEmpty()) {
      value.put("namespace", ref.namespace());
    }
    value.put("name", ref.name());
    value.put("apiVersion", ref.type().apiVersion());
    value.put("kind", one.rules().copyKind());
    return KubeJson.writeText(value);
  }
}
