package dev.mooring.syncagent.related.decide;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.RelatedResource;
import java.util.List;
import java.util.Map;

/** Related entries and objects from JSON with single quotes. */
public final class RelatedFixture {
  private RelatedFixture() {}

  /** For Secrets. */
  public static RelatedResource entry(String origin, String object) {
    return entry(
        Map.of(
            "identifier",
            "tls",
            "origin",
            origin,
            "kind",
            "Secret",
            "object",
            object(object).tree()));
  }

  public static RelatedResource entry(Map<String, Object> entry) {
    return PublishedResource.read(
            KubeObject.of(
                Map.of(
                    "metadata",
                    Map.of("name", "pub"),
                    "spec",
                    Map.of("resource", Map.of("kind", "Thing"), "related", List.of(entry)))))
        .related()
        .getFirst();
  }

  public static KubeObject object(String json) {
    return KubeJson.readObject(json.replace('\'', '"'));
  }
}
