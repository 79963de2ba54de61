package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordCacheTest {
  private final List<KubeObject> decoded = new ArrayList<>();
  private final RecordCache records =
      new RecordCache(secret -> {
        decoded.add(secret);
        return Optional.empty();
      });

  /** As the five indexes of the cache and its listener do for one event. */
  @Test
  void decodesOneVersionOfASecretOnce() {
    KubeObject secret = secret("a", "1");
    for (int i = 0; i < 6; i++) {
      records.of(secret);
    }
    records.of(secret("a", "1"));

    assertThat(decoded).containsExactly(secret);
  }

  @Test
  void decodesAnotherVersionAndAnotherSecret() {
    records.of(secret("a", "1"));
    records.of(secret("a", "2"));
    records.of(secret("b", "2"));
    records.of(secret("a", "2"));

    assertThat(decoded).containsExactly(secret("a", "1"), secret("a", "2"), secret("b", "2"));
  }

  @Test
  void decodesAgainWhatWasForgottenOrHasNoVersion() {
    records.of(secret("a", "1"));
    records.forget(secret("a", "1"));
    records.of(secret("a", "1"));
    records.of(secret("a", ""));
    records.of(secret("a", ""));

    assertThat(decoded).hasSize(4);
  }

  private static KubeObject secret(String uid, String version) {
    return KubeObject.of(Map.of("metadata", Map.of("uid", uid, "resourceVersion", version)));
  }
}
