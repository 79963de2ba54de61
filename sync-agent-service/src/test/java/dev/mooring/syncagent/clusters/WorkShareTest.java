package dev.mooring.syncagent.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.lease.Share;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkShareTest {
  private static final LogicalCluster CLUSTER = new LogicalCluster("abc");
  private final WorkShare work = new WorkShare(new Share(Optional.of("me"), Set.of("me")));

  @Test
  void whatIsUnderWayIsSeenAfterItsClusterWasLost() {
    WorkShare.Work begun = work.begin(CLUSTER).orElseThrow();
    WorkShare.Work second = work.begin(CLUSTER).orElseThrow();

    work.divide(Share.NOTHING);

    assertThat(work.begin(CLUSTER)).isEmpty();
    assertThat(work.isWorkingOutside(work::owns)).isTrue();
    begun.close();
    assertThat(work.isWorkingOutside(work::owns)).isTrue();
    second.close();
    assertThat(work.isWorkingOutside(work::owns)).isFalse();
  }

  @Test
  void aNamespaceIsOneReplicasAloneIfItHasTheNameOfAClusterOfIts() {
    assertThat(work.beginIn("abc")).isPresent();
    assertThat(work.beginIn("Not_a_cluster")).isEmpty();
    work.divide(Share.NOTHING);
    assertThat(work.beginIn("abc")).isEmpty();
    assertThat(new WorkShare(Share.EVERYTHING).beginIn("any thing")).isPresent();
  }
}
