package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.Change;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.ObjectRef;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PendingCopiesTest {
  private static final ObjectKey KEY = new ObjectKey(LogicalCluster.NONE, "ns", "tls");
  private static final ObjectRef REF =
      new ObjectRef(Side.SERVICE, ResourceType.core("secrets"), KEY);
  private static final KubeObject COPY = copy("u1", "5");
  private static final Map<String, Object> CONTENT = Map.of("data", Map.of("key", "value"));

  private final PendingCopies own = new PendingCopies();

  @Test
  void knowsACopyThatTheWatchHasNotShownYet() {
    own.begin(REF);
    assertThat(own.find(REF)).isEmpty();

    own.created(REF, COPY, CONTENT);
    assertThat(own.find(REF)).contains(COPY);

    own.changed(REF, added(COPY));
    assertThat(own.find(REF)).isEmpty();
  }

  /** It stays with the consumer, whose next primary of that name has not created it. */
  @Test
  void knowsNothingOfACopyWhoseRecordIsDeleted() {
    own.begin(REF);
    own.created(REF, COPY, CONTENT);
    assertThat(own.contentOf(REF, COPY)).contains(CONTENT);

    own.recordDeleted(REF);

    assertThat(own.contentOf(REF, COPY)).isEmpty();
  }

  @Test
  void isNotMisledByAWatchThatWasFasterThanTheAnswer() {
    own.begin(REF);
    own.changed(REF, added(COPY));

    own.created(REF, COPY, CONTENT);

    assertThat(own.find(REF)).isEmpty();
  }

  @Test
  void isNotMisledByTheEndOfWhatWasThereBefore() {
    own.begin(REF);
    own.created(REF, COPY, CONTENT);

    own.changed(REF, new Change.Removed(KEY, copy("u0", "3")));

    assertThat(own.find(REF)).contains(COPY);
    assertThat(own.newest(REF, () -> Optional.of(copy("u0", "2")))).contains(COPY);
  }

  @Test
  void takesWhatTheCacheHasOnceItIsAsNew() {
    own.begin(REF);
    own.created(REF, COPY, CONTENT);
    KubeObject changed = copy("u1", "6");

    assertThat(own.newest(REF, () -> Optional.of(changed))).contains(changed);

    assertThat(own.find(REF)).isEmpty();
  }

  @Test
  void knowsNothingOfACopyThatWasRefusedOrIsNotThere() {
    own.begin(REF);
    own.created(REF, COPY, CONTENT);

    own.forget(REF);

    assertThat(own.newest(REF, () -> Optional.empty())).isEmpty();
  }

  @Test
  void knowsWhatACopyWasMadeWithUntilItIsRecorded() {
    own.begin(REF);
    own.created(REF, COPY, CONTENT);
    own.changed(REF, added(COPY));

    assertThat(own.contentOf(REF, COPY)).contains(CONTENT);
    assertThat(own.contentOf(REF, copy("u2", "5"))).isEmpty();

    own.recorded(REF);
    assertThat(own.contentOf(REF, COPY)).isEmpty();
  }

  @Test
  void forgetsACopyThatIsGoneBeforeItIsRecorded() {
    own.begin(REF);
    own.created(REF, COPY, CONTENT);

    own.changed(REF, new Change.Removed(KEY, copy("u0", "3")));
    assertThat(own.contentOf(REF, COPY)).contains(CONTENT);

    own.changed(REF, new Change.Removed(KEY, COPY));
    assertThat(own.contentOf(REF, COPY)).isEmpty();
  }

  private static Change added(KubeObject copy) {
    return new Change.Added(KEY, copy);
  }

  private static KubeObject copy(String uid, String version) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("namespace", "ns", "name", "tls", "uid", uid, "resourceVersion", version)));
  }
}
