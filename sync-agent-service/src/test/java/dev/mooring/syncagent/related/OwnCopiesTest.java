package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.Primaries.Side;
import dev.mooring.syncagent.related.decide.Place;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnCopiesTest {
  private static final Spot SPOT =
      new Spot(
          Side.SERVICE, ResourceType.core("secrets"), LogicalCluster.NONE, new Place("ns", "tls"));
  private static final KubeObject COPY =
      KubeObject.of(Map.of("metadata", Map.of("namespace", "ns", "name", "tls", "uid", "u1")));

  private final OwnCopies own = new OwnCopies();

  @Test
  void knowsACopyThatTheWatchHasNotShownYet() {
    own.making(SPOT);
    assertThat(own.find(SPOT)).isEmpty();

    own.made(SPOT, COPY);
    assertThat(own.find(SPOT)).contains(COPY);

    own.shown(SPOT);
    assertThat(own.find(SPOT)).isEmpty();
  }

  @Test
  void isNotMisledByAWatchThatWasFasterThanTheAnswer() {
    own.making(SPOT);
    own.shown(SPOT);

    own.made(SPOT, COPY);

    assertThat(own.find(SPOT)).isEmpty();
  }

  @Test
  void tellsItsOwnCopyUntilItIsRecorded() {
    own.making(SPOT);
    own.made(SPOT, COPY);
    own.shown(SPOT);

    assertThat(own.isMadeHere(SPOT, COPY)).isTrue();
    assertThat(own.isMadeHere(SPOT, COPY.with("u2", "metadata", "uid"))).isFalse();

    own.recorded(SPOT);
    assertThat(own.isMadeHere(SPOT, COPY)).isFalse();
  }
}
