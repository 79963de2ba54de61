package dev.mooring.syncagent.related.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of each chain: a check may rely on those before it. */
class ChecksOrderTest {
  private static final List<String> REMOVAL =
      List.of(
          "originalOrCopyHidden",
          "copyTerminating",
          "neededByOtherAgents",
          "intendedByOtherOwner",
          "copyIsOurs",
          "originalHasFinalizer",
          "formerOriginalHasFinalizer",
          "recorded");

  @Test
  void syncsACopyInThisOrder() {
    assertThat(SyncChecks.CHAIN)
        .extracting(Check::name)
        .containsExactly(
            "copyOfAnotherOriginal",
            "formerOriginalHasFinalizer",
            "contentNotRendered",
            "secretOfAnotherServer",
            "handoverAnnounced",
            "originalChanged",
            "originalWithoutFinalizer",
            "writtenByOtherOwner",
            "copyHidden",
            "notRecorded",
            "copyMissing",
            "copyTerminating",
            "copyMarkedByOther",
            "copyNotRecordedAsOurs",
            "copyRecreatedAlike",
            "contentDiffers",
            "recordOutdated",
            "statusDiffers");
  }

  @Test
  void adoptsAnObjectInThisOrder() {
    assertThat(AdoptionChecks.CHAIN)
        .extracting(Check::name)
        .containsExactly(
            "createdByThisProcess",
            "asItWouldBeCreated",
            "asIntended",
            "ofEarlierAgent",
            "intendedByOtherOwner",
            "byAdoptionRule");
  }

  @Test
  void removesACopyInThisOrder() {
    assertThat(RemovalChecks.CHAIN).extracting(Check::name).isEqualTo(REMOVAL);
  }

  @Test
  void recordsACopyForAPrimaryThatIsBeingDeletedInThisOrder() {
    assertThat(RemovalChecks.KEEPING)
        .extracting(Check::name)
        .containsExactly("createdAndNotRecorded", "ofEarlierAgent");
  }

  @Test
  void removesACopyWithItsPrimaryInThisOrder() {
    var order = new ArrayList<>(List.of("createdAndNotRecorded"));
    order.addAll(REMOVAL);

    assertThat(RemovalChecks.WITH_PRIMARY).extracting(Check::name).isEqualTo(order);
  }
}
