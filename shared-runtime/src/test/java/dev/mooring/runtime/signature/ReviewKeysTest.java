package dev.mooring.runtime.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.signature.ReviewKeys.Unsigned;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewKeysTest {
  private static final LogicalCluster PROVIDER = new LogicalCluster("network1");
  private static final LogicalCluster OTHER = new LogicalCluster("compute1");
  private static final SigningKey KEY = SigningKey.generate();

  @Test
  void acceptsWhatAnyOfItsKeysSigned() {
    SigningKey old = SigningKey.generate();
    var keys = new ReviewKeys(KEY, Optional.of(old), refused());

    assertThat(List.of(KEY, old))
        .allSatisfy(
            key -> assertThat(keys.signed(ReviewSegment.parse(key.segment(PROVIDER)))).isTrue());
    assertThat(keys.signed(ReviewSegment.parse(SigningKey.generate().segment(PROVIDER)))).isFalse();
  }

  @Test
  void aSignatureIsForOneProvider() {
    String signed = KEY.segment(PROVIDER);
    String moved = signed.replaceFirst("^network1", "compute1");

    assertThat(keys(refused()).signed(ReviewSegment.parse(signed))).isTrue();
    assertThat(keys(refused()).signed(ReviewSegment.parse(moved))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "network1", "network1.", "network1..", "..", "network1.abcdef01.", "Ä.ß.€"})
  void whatCarriesNoSignatureIsNotSigned(String segment) {
    assertThat(keys(refused()).signed(ReviewSegment.parse(segment))).isFalse();
    assertThat(keys(refused()).excuses(ReviewSegment.parse(segment))).isFalse();
    assertThat(keys(new Unsigned.Accepted()).excuses(ReviewSegment.parse(segment))).isTrue();
  }

  @Test
  void excusesOnlyTheProvidersThatItNames() {
    var keys = keys(refused(OTHER));

    assertThat(keys.excuses(ReviewSegment.parse("compute1"))).isTrue();
    assertThat(keys.excuses(ReviewSegment.parse("compute1.0a0b0c0d.x"))).isTrue();
    assertThat(keys.excuses(ReviewSegment.parse("network1"))).isFalse();
    assertThat(keys.excuses(ReviewSegment.parse(""))).isFalse();
  }

  @Test
  void isReadAsItWasWritten() {
    for (Unsigned unsigned :
        List.of(new Unsigned.Accepted(), refused(), refused(PROVIDER, OTHER))) {
      var keys = new ReviewKeys(KEY, Optional.of(SigningKey.generate()), unsigned);

      assertThat(ReviewKeys.read(secret(keys.data()))).isEqualTo(keys);
    }
  }

  @Test
  void neverTellsAKey() {
    String broken = "AAAA*" + "A".repeat(39);
    assertThatThrownBy(() -> ReviewKeys.read(secret(Map.of("current", broken))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a key is not Base64")
        .hasNoCause();
    assertThatThrownBy(() -> ReviewKeys.read(secret(Map.of("current", "AAAA"))))
        .hasMessage("a key has not 32 bytes");
    assertThatThrownBy(() -> ReviewKeys.read(secret(Map.of())))
        .hasMessage("there is no current key");
    String key = String.valueOf(keys(refused()).data().get("current"));
    assertThat(keys(refused()).toString()).doesNotContain(key).contains("key " + KEY.id());
    assertThat(Base64.getDecoder().decode(key)).hasSize(SigningKey.BYTES);
  }

  private static ReviewKeys keys(Unsigned unsigned) {
    return new ReviewKeys(KEY, Optional.empty(), unsigned);
  }

  private static Unsigned refused(LogicalCluster... except) {
    return new Unsigned.Refused(new TreeSet<>(List.of(except)));
  }

  private static KubeObject secret(Map<String, Object> data) {
    return KubeObject.of(Map.of("data", data));
  }
}
