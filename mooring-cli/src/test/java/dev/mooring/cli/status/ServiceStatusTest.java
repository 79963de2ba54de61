package dev.mooring.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.live.Management.Answer;
import dev.mooring.cli.live.Service;
import dev.mooring.cli.status.ObjectStatus.State;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ServiceStatusTest {
  private static final KubeObject INFO = KubeObject.of(Map.of("build", Map.of("version", "0.1.0")));

  @Test
  void showsVersionAndStartOfAReadyService() {
    assertThat(row(health("UP", Map.of("rules", component("UP", Map.of("rules", 2L))))))
        .isEqualTo(
            new ObjectStatus(
                "dependency webhook", State.ready, "1970-01-01T00:01:00Z", "0.1.0", "", "", ""));
  }

  @Test
  void saysInWordsWhatIsNotReady() {
    ObjectStatus row =
        row(
            health(
                "OUT_OF_SERVICE",
                Map.of(
                    "rules",
                    component("OUT_OF_SERVICE", Map.of("waitingFor", "no event of shard a")))));

    assertThat(row.state()).isEqualTo(State.failing);
    assertThat(row.condition()).isEqualTo("readiness");
    assertThat(row.reason()).isEqualTo("rules");
    assertThat(row.message()).isEqualTo("rules: no event of shard a");
  }

  @Test
  void namesAComponentThatGivesNoReason() {
    assertThat(row(health("DOWN", Map.of("ping", component("DOWN", Map.of())))).message())
        .isEqualTo("ping: DOWN");
  }

  @Test
  void showsAWarningOfAReadyService() {
    ObjectStatus row =
        row(
            health(
                "UP",
                Map.of(
                    "certificates",
                    component(
                        "UP",
                        Map.of(
                            "kcp-client",
                            Map.of("validUntil", "tomorrow", "warning", "renew it"))))));

    assertThat(row.state()).isEqualTo(State.ready);
    assertThat(row.message()).isEqualTo("certificates: kcp-client renew it");
  }

  @Test
  void namesAFewOfManyProblems() {
    ObjectStatus row =
        row(
            health(
                "OUT_OF_SERVICE",
                Map.of(
                    "rights",
                    component("OUT_OF_SERVICE", Map.of("missing", List.of("a", "b", "c", "d"))))));

    assertThat(row.message()).isEqualTo("rights: a; rights: b; rights: c; and 1 more");
  }

  @Test
  void saysWhatToDoAboutAServiceThatDoesNotAnswer() {
    ObjectStatus row = row(new Answer.Silent("http://a:1 does not answer"));

    assertThat(row.state()).isEqualTo(State.unknown);
    assertThat(row.reason()).isEqualTo("Unreachable");
    assertThat(row.message())
        .isEqualTo(
            "http://a:1 does not answer; start it, forward its port, or correct --webhook-url");
  }

  @Test
  void saysThatAnotherServerIsAtTheUrl() {
    ObjectStatus row = row(new Answer.Answered(404, KubeObject.of(Map.of())));

    assertThat(row.state()).isEqualTo(State.unknown);
    assertThat(row.message())
        .isEqualTo("HTTP 404 and no health at that URL; correct --webhook-url");
  }

  private static ObjectStatus row(Answer readiness) {
    return ServiceStatus.row(Service.webhook, readiness, INFO, OptionalDouble.of(60.5));
  }

  private static Answer health(String status, Map<String, Object> components) {
    return new Answer.Answered(
        status.equals("UP") ? 200 : 503,
        KubeObject.of(Map.of("status", status, "components", components)));
  }

  private static Map<String, Object> component(String status, Map<String, Object> details) {
    return Map.of("status", status, "details", details);
  }
}
