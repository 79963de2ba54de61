package dev.mooring.sandbox.kcp.claim.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimAdmissionTest {
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final ClaimSelector SHARED =
      new ClaimSelector(Map.of("matchLabels", Map.of("share", "yes")));
  private static final ClaimSelector NAMED =
      new ClaimSelector(
          Map.of("matchExpressions", List.of(Map.of("key", "share", "operator", "Exists"))));

  @Test
  void labelsWhatLacksALabel() {
    KubeObject admitted = ClaimAdmission.admitted(SHARED, SECRETS, secret(Map.of("a", "b")));

    assertThat(admitted.labels()).isEqualTo(Map.of("a", "b", "share", "yes"));
  }

  @Test
  void leavesWhatMatchesAsItIs() {
    KubeObject matching = secret(Map.of("share", "yes"));

    assertThat(ClaimAdmission.admitted(SHARED, SECRETS, matching)).isEqualTo(matching);
    assertThat(ClaimAdmission.admitted(NAMED, SECRETS, matching)).isEqualTo(matching);
    assertThat(ClaimAdmission.admitted(ClaimSelector.all(), SECRETS, secret(Map.of())))
        .isEqualTo(secret(Map.of()));
  }

  @Test
  void refusesAnotherValueOfAProtectedLabel() {
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> ClaimAdmission.admitted(SHARED, SECRETS, secret(Map.of("share", "no"))))
        .withMessage("secrets \"s\" is forbidden: protected label share must have value yes");
  }

  @Test
  void refusesWhatNoLabelCanBeChosenFor() {
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> ClaimAdmission.admitted(NAMED, SECRETS, secret(Map.of())))
        .withMessage("secrets \"s\" is forbidden: object does not match required labels");
  }

  private static KubeObject secret(Map<String, String> labels) {
    return KubeObject.of(Map.of("metadata", Map.of("name", "s", "labels", labels)));
  }
}
