package dev.mooring.syncagent.related.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.related.decide.RelatedRecord.Ownership;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Others;
import dev.mooring.syncagent.related.decide.Sharing.Need;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharingTest {
  private static final LogicalCluster CLUSTER = new LogicalCluster("c1");
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final Spot ORIGINAL = spot(Side.KCP, "original");
  private static final Spot OTHER_ORIGINAL = spot(Side.KCP, "other");
  private static final Spot COPY = spot(Side.SERVICE, "copy");

  /** Each answer about one holder costs a resolution of its entry. */
  @Test
  void asksAsManyHoldersAsThereArePrimariesOfOneObject() {
    int primaries = 1_000;
    List<RelatedRecord> records =
        IntStream.range(0, primaries).mapToObj(i -> record(i, ORIGINAL)).toList();
    var asked = new AtomicInteger();
    Function<RelatedRecord, Need> need =
        _ -> {
          asked.incrementAndGet();
          return Need.NEEDED;
        };

    for (RelatedRecord own : records) {
      List<RelatedRecord> others = records.stream().filter(record -> record != own).toList();
      Others ofCopy = Sharing.ofCopy(own.holder(), ORIGINAL, Optional.of(own), others, need);
      assertThat(ofCopy).isEqualTo(own == records.getFirst() ? Others.FOLLOW : Others.LEAD);
      assertThat(Sharing.ofOriginal(others, need)).isEqualTo(Others.FOLLOW);
    }

    // All others of each, for the copy and for the original, would be 1,998,000.
    assertThat(asked).hasValue(2 * primaries);
  }

  @Test
  void theFirstThatNeedsTheCopyLeadsWhoeverCannotTell() {
    List<RelatedRecord> others = List.of(record(3, OTHER_ORIGINAL), record(2, ORIGINAL));
    RelatedRecord own = record(5, ORIGINAL);

    assertThat(ofCopy(own, others, Need.UNKNOWN, Need.NEEDED)).isEqualTo(Others.CONFLICT);
    assertThat(ofCopy(own, others, Need.NEEDED, Need.UNKNOWN)).isEqualTo(Others.LEAD);
    assertThat(ofCopy(own, others, Need.NOT_NEEDED, Need.UNKNOWN)).isEqualTo(Others.FOLLOW);
    assertThat(ofCopy(own, others, Need.NOT_NEEDED, Need.NOT_NEEDED)).isEqualTo(Others.NONE);
  }

  /**
   * @param second of the holder with number 2
   */
  private static Others ofCopy(
      RelatedRecord own, List<RelatedRecord> others, Need second, Need third) {
    return Sharing.ofCopy(
        own.holder(),
        ORIGINAL,
        Optional.of(own),
        others,
        record -> record.holder().primary().name().equals("p0002") ? second : third);
  }

  private static RelatedRecord record(int number, Spot original) {
    var primary = new ObjectKey(CLUSTER, "default", "p%04d".formatted(number));
    return new RelatedRecord(
        new Holder("orders.example.io", primary, "creds"),
        original,
        COPY,
        Ownership.MADE,
        Map.of(),
        "uid");
  }

  private static Spot spot(Side side, String name) {
    return new Spot(
        side,
        SECRETS,
        side == Side.KCP ? CLUSTER : LogicalCluster.NONE,
        new Place("default", name));
  }
}
