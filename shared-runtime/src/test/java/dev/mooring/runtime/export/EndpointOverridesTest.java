package dev.mooring.runtime.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointOverridesTest {
  @ParameterizedTest
  @CsvSource({
    "kcp=front.example.org, https://front.example.org:6443/services/apiexport/c1/certs",
    "kcp=front.example.org:443, https://front.example.org:443/services/apiexport/c1/certs",
    "kcp:6443=localhost:8445, https://localhost:8445/services/apiexport/c1/certs",
    "localhost:8445, https://localhost:8445/services/apiexport/c1/certs",
    "kcp:443=localhost:8445, https://kcp:6443/services/apiexport/c1/certs",
    "other=localhost:8445, https://kcp:6443/services/apiexport/c1/certs",
  })
  void changesTheHostOfWhatFits(String rule, URI expected) {
    assertThat(
            EndpointOverrides.of(List.of(rule))
                .apply(Set.of(URI.create("https://kcp:6443/services/apiexport/c1/certs"))))
        .containsExactly(expected);
  }

  @Test
  void takesAMissingPortForTheSchemes() {
    assertThat(
            EndpointOverrides.of(List.of("kcp:443=front"))
                .apply(Set.of(URI.create("https://kcp/services"))))
        .containsExactly(URI.create("https://front/services"));
  }

  @Test
  void letsTheFirstRuleThatFitsCount() {
    EndpointOverrides overrides = EndpointOverrides.of(List.of("a:1=x", "a=y", "z"));

    assertThat(
            overrides.apply(
                Set.of(
                    URI.create("https://a:1/s"),
                    URI.create("https://a:2/s"),
                    URI.create("https://b:3/s"))))
        .containsExactlyInAnyOrder(
            URI.create("https://x:1/s"), URI.create("https://y:2/s"), URI.create("https://z:3/s"));
  }

  @Test
  void leavesEverythingAsItIsWithoutRules() {
    Set<URI> endpoints = Set.of(URI.create("https://a:1/s"));

    assertThat(EndpointOverrides.NONE.apply(endpoints)).isEqualTo(endpoints);
  }
}
