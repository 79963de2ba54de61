package dev.mooring.syncagent.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainEndpointsTest {
  @Test
  void writesWholeNumbersAsGoDoesAndNothingElseAnew() {
    assertThat(
            PlainEndpoints.asGoWrites(
                """
                # HELP sync_agent_published_resource handles 1.0
                sync_agent_published_resource 2.0
                seconds_total{le="1.0"} 0.25
                bytes -3.0
                large 1.0E7
                nothing NaN
                """))
        .isEqualTo(
            """
            # HELP sync_agent_published_resource handles 1.0
            sync_agent_published_resource 2
            seconds_total{le="1.0"} 0.25
            bytes -3
            large 1.0E7
            nothing NaN
            """);
  }
}
