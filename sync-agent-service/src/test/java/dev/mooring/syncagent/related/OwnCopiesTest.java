package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.Change;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.related.decide.Place;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnCopiesTest {
  private static final Spot SPOT =
      new Spot(
          Side.SERVICE, ResourceType.core("secrets"), LogicalCluster.NONE, new Place("ns", "tls"));
  private static final ObjectKey KEY = new ObjectKey(LogicalCluster.NONE, "ns", "tls");
  private static final KubeObject COPY = copy("u1", "5");
  private static final Map<String, Object> CONTENT = Map.of("data", Map.of("key", "value"));

  private final OwnCopies own = new OwnCopies();

  @Test
  void knowsACopyThatTheWatchHasNotShownYet() {
    own.making(SPOT);
    assertThat(own.find(SPOT)).isEmpty();

    own.made(SPOT, COPY, CONTENT);
    assertThat(own.find(SPOT)).contains(COPY);

    own.changed(SPOT, added(COPY));
    assertThat(own.find(SPOT)).isEmpty();
  }

  @Test
  void isNotMisledByAWatchThatWasFasterThanTheAnswer() {
    own.making(SPOT);
    own.changed(SPOT, added(COPY));

    own.made(SPOT, COPY, CONTENT);

    assertThat(own.find(SPOT)).isEmpty();
  }

  @Test
  void isNotMisledByTheEndOfWhatWasThereBefore() {
    own.making(SPOT);
    own.made(SPOT, COPY, CONTENT);

    own.changed(SPOT, new Change.Removed(KEY, copy("u0", "3")));

    assertThat(own.find(SPOT)).contains(COPY);
    assertThat(own.newest(SPOT, Optional.of(copy("u0", "2")))).contains(COPY);
  }

  @Test
  void takesWhatTheCacheHasOnceItIsAsNew() {
    own.making(SPOT);
    own.made(SPOT, COPY, CONTENT);
    KubeObject changed = copy("u1", "6");

    assertThat(own.newest(SPOT, Optional.of(changed))).contains(changed);

    assertThat(own.find(SPOT)).isEmpty();
  }

  @Test
  void knowsNothingOfACopyThatWasRefusedOrIsNotThere() {
    own.making(SPOT);
    own.made(SPOT, COPY, CONTENT);

    own.notMade(SPOT);

    assertThat(own.newest(SPOT, Optional.empty())).isEmpty();
  }

  @Test
  void knowsWhatACopyWasMadeWithUntilItIsRecorded() {
    own.making(SPOT);
    own.made(SPOT, COPY, CONTENT);
    own.changed(SPOT, added(COPY));

    assertThat(own.contentOf(SPOT, COPY)).contains(CONTENT);
    assertThat(own.contentOf(SPOT, copy("u2", "5"))).isEmpty();

    own.recorded(SPOT);
    assertThat(own.contentOf(SPOT, COPY)).isEmpty();
  }

  @Test
  void forgetsACopyThatIsGoneBeforeItIsRecorded() {
    own.making(SPOT);
    own.made(SPOT, COPY, CONTENT);

    own.changed(SPOT, new Change.Removed(KEY, copy("u0", "3")));
    assertThat(own.contentOf(SPOT, COPY)).contains(CONTENT);

    own.changed(SPOT, new Change.Removed(KEY, COPY));
    assertThat(own.contentOf(SPOT, COPY)).isEmpty();
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
