package dev.mooring.syncagent.content;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.SourceMarks;
import java.util.LinkedHashMap;
import java.util.Map;

/** A Secret in which the agent keeps what it knows of a source, as it is written. */
public final class MarkedSecret {
  private MarkedSecret() {}

  /**
   * @param namespace the agent's own, on the service cluster
   * @param marks of the source, by which people and other agents find it
   * @param label in addition to the marks: tells one sort of such Secrets from another
   * @param data base64 by key
   */
  public static KubeObject of(
      String namespace,
      String name,
      SourceMarks marks,
      Map.Entry<String, String> label,
      Map<String, String> data) {
    var labels = new LinkedHashMap<>(marks.labels());
    labels.put(label.getKey(), label.getValue());
    return KubeObject.of(ResourceType.core("secrets"), "Secret", namespace, name)
        .with(labels, "metadata", "labels")
        .with(marks.annotations(), "metadata", "annotations")
        .with(data, "data");
  }
}
