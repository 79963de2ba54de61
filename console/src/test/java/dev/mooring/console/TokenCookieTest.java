package dev.mooring.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.time.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenCookieTest {
  private final ManualTime time = new ManualTime();
  private final TokenCookie cookies = new TokenCookie(time);

  @Test
  void opensWhatItSealedUntilTheSessionEnds() {
    String value = cookies.seal("secret-tökén");

    assertThat(value).matches("[A-Za-z0-9_-]+").doesNotContain("secret");
    assertThat(cookies.seal("secret-tökén")).isNotEqualTo(value);
    assertThat(cookies.open(value)).contains("secret-tökén");
    time.advance(TokenCookie.VALID.minus(Duration.ofMillis(1)));
    assertThat(cookies.open(value)).contains("secret-tökén");
    time.advance(Duration.ofMillis(1));
    assertThat(cookies.open(value)).isEmpty();
  }

  @Test
  void opensNothingOfAnotherProcessAndNothingThatWasChanged() {
    String value = cookies.seal("secret");

    assertThat(new TokenCookie(time).open(value)).isEmpty();
    for (int at = 0; at < value.length(); at++) {
      String changed =
          value.substring(0, at) + (value.charAt(at) == 'A' ? 'B' : 'A') + value.substring(at + 1);
      assertThat(cookies.open(changed)).as("changed at %d", at).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "A",
        "not base64!",
        "AAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      })
  void opensNoGarbage(String value) {
    assertThat(cookies.open(value)).isEmpty();
  }

  @Test
  void theLongestTokenFitsABrowsersCookie() {
    assertThat(cookies.seal("x".repeat(TokenCookie.TOKEN_MAX))).hasSizeLessThan(4_000);
  }
}
