package dev.mooring.sandbox.http.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContinueTokenTest {
  @Test
  void comesBackAsItWent() {
    var token =
        new ContinueToken(
            42, new ObjectKey(new LogicalCluster("root"), "n", "a.b"), OptionalLong.of(7));

    assertThat(ContinueToken.of(token.text())).isEqualTo(token);
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage", "!", "e30"})
  void refusesWhatItDidNotMake(String text) {
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> ContinueToken.of(text))
        .withMessageContaining("invalid continue token");
  }
}
