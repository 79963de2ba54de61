package dev.mooring.languages.template.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.GoTemplate;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoUrlTest {
  @Test
  void readsTheParts() {
    assertThat(GoUrl.parse("https://me:secret@example.org:8443/a%20b?c=d"))
        .isEqualTo(new GoUrl("https", "", "me:secret", "example.org:8443", "/a%20b", "c=d"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ":",
        "a\u0001b",
        "1a:b",
        "http://[::1",
        "http://x[::1]",
        "http://[not-an-address]",
        "http://host:port",
        "http://a b@host",
        "http://ho st",
        "http://ho%41st",
        "/%zz"
      })
  void failsOnWhatIsNoUrl(String text) {
    assertThatThrownBy(() -> GoUrl.parse(text)).isInstanceOf(ExpressionFailure.class);
  }

  @Test
  void failsOnARequestForARelativePath() {
    assertThatThrownBy(() -> GoUrl.parseRequest("a/b")).isInstanceOf(ExpressionFailure.class);
  }

  @Test
  void aTemplateNamesTheFunctionThatFailed() {
    GoTemplate template = GoTemplate.compile("{{ urlParse \":\" }}", Set.of());

    assertThatThrownBy(() -> template.render(Map.of()))
        .isInstanceOf(TemplateFailure.class)
        .hasMessage("urlParse: the scheme of the URL is missing");
  }
}
