package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  private static final Map<String, Object> GO_DEFAULTS =
      Map.of(
          "mooring.sync-agent.metrics-address", "127.0.0.1:8085",
          "logging.structured.format.console", "ecs",
          "spring.main.web-application-type", "none",
          "spring.main.keep-alive", "true",
          "spring.main.lazy-initialization", "true");

  @Test
  void understandsACallOfTheGoAgent() {
    assertThat(
            CommandLine.read(
                "--agent-name",
                "mine",
                "--apiexportendpointslice-ref",
                "certs",
                "--enable-leader-election=false",
                "--enable-server-side-apply",
                "--kubeconfig",
                "service.yaml",
                "--kcp-kubeconfig=kcp.yaml",
                "--namespace",
                "kube-system",
                "--log-format",
                "Console",
                "--log-debug=true",
                "--health-address",
                "0",
                "--metrics-address",
                "127.0.0.1:9000",
                "--published-resource-selector",
                "team in (a,b),tier!=c"))
        .isEqualTo(
            new CommandLine.Start(
                List.of(
                    "--mooring.sync-agent.agent-name=mine",
                    "--mooring.sync-agent.apiexportendpointslice-ref=certs",
                    "--mooring.sync-agent.leader-election=false",
                    "--mooring.sync-agent.server-side-apply=true",
                    "--mooring.sync-agent.kubeconfig=service.yaml",
                    "--mooring.sync-agent.kcp-kubeconfig=kcp.yaml",
                    "--mooring.sync-agent.namespace=kube-system",
                    "--logging.structured.format.console=",
                    "--logging.level.dev.mooring=debug",
                    "--mooring.sync-agent.health-address=0",
                    "--mooring.sync-agent.metrics-address=127.0.0.1:9000",
                    "--mooring.sync-agent.published-resource-selector=team in (a,b),tier!=c"),
                GO_DEFAULTS));
  }

  @ParameterizedTest
  @CsvSource({
    "kubeconfig, mooring.sync-agent.kubeconfig",
    "kubeconfig-host-override, mooring.sync-agent.kubeconfig-host-override",
    "kubeconfig-ca-file-override, mooring.sync-agent.kubeconfig-ca-file-override",
    "kcp-kubeconfig, mooring.sync-agent.kcp-kubeconfig",
    "namespace, mooring.sync-agent.namespace",
    "agent-name, mooring.sync-agent.agent-name",
    "apiexportendpointslice-ref, mooring.sync-agent.apiexportendpointslice-ref",
    "published-resource-selector, mooring.sync-agent.published-resource-selector",
    "metrics-address, mooring.sync-agent.metrics-address",
    "health-address, mooring.sync-agent.health-address",
    "disabled-controllers, mooring.sync-agent.disabled-controllers"
  })
  void takesAFlagForItsPropertyHoweverItIsWritten(String flag, String property) {
    var expected = new CommandLine.Start(List.of("--" + property + "=a=b"), GO_DEFAULTS);

    assertThat(CommandLine.read("--" + flag, "a=b")).isEqualTo(expected);
    assertThat(CommandLine.read("--" + flag + "=a=b")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "--enable-leader-election, true",
    "--enable-leader-election=true, true",
    "--enable-leader-election=1, true",
    "--enable-leader-election=F, false",
    "--enable-leader-election true, true",
    "--enable-leader-election false, false"
  })
  void takesASwitchWithAndWithoutValue(String written, String value) {
    assertThat(CommandLine.read(written.split(" ")))
        .isEqualTo(
            new CommandLine.Start(
                List.of("--mooring.sync-agent.leader-election=" + value), GO_DEFAULTS));
  }

  @Test
  void doesNotTakeTheNextFlagForASwitchsValue() {
    assertThat(CommandLine.read("--log-debug", "--namespace", "a"))
        .isEqualTo(
            new CommandLine.Start(
                List.of("--logging.level.dev.mooring=debug", "--mooring.sync-agent.namespace=a"),
                GO_DEFAULTS));
  }

  @ParameterizedTest
  @CsvSource({"JSON, ecs", "json, ecs", "Console, ''", "console, ''"})
  void takesBothLogFormats(String format, String expected) {
    assertThat(CommandLine.read("--log-format=" + format))
        .isEqualTo(
            new CommandLine.Start(
                List.of("--logging.structured.format.console=" + expected), GO_DEFAULTS));
  }

  @Test
  void addsUpDisabledControllers() {
    assertThat(
            CommandLine.read("--disabled-controllers=sync", "--disabled-controllers", "apiexport"))
        .isEqualTo(
            new CommandLine.Start(
                List.of("--mooring.sync-agent.disabled-controllers=sync,apiexport"), GO_DEFAULTS));
  }

  @Test
  void takesTheLastValueOfOneProperty() {
    assertThat(
            CommandLine.read(
                "--agent-name=first",
                "--namespace=a",
                "--mooring.sync-agent.agent-name=second",
                "--namespace=b"))
        .isEqualTo(
            new CommandLine.Start(
                List.of(
                    "--mooring.sync-agent.agent-name=second", "--mooring.sync-agent.namespace=b"),
                GO_DEFAULTS));
  }

  @Test
  void passesPropertiesOnAndLeavesTheirDefaults() {
    assertThat(CommandLine.read("--mooring.sync-agent.namespace=a", "--server.port=0"))
        .isEqualTo(
            new CommandLine.Start(
                List.of("--mooring.sync-agent.namespace=a", "--server.port=0"), Map.of()));
    assertThat(CommandLine.read()).isEqualTo(new CommandLine.Start(List.of(), Map.of()));
  }

  @Test
  void servesTheServicesOwnEndpointsBesideFlagsWhereAPortIsNamed() {
    assertThat(CommandLine.read("--agent-name=mine", "--server.port=8081"))
        .isInstanceOfSatisfying(
            CommandLine.Start.class,
            start ->
                assertThat(start.defaults()).doesNotContainKey("spring.main.web-application-type"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--apiexport-ref=certs | unknown flag: --apiexport-ref",
        "--agent-name | flag needs an argument: --agent-name",
        "--log-debug=maybe | invalid argument \"maybe\" for --log-debug",
        "--log-format=xml | invalid argument \"xml\" for --log-format",
        "-v | unexpected argument \"-v\"",
        "start | unexpected argument \"start\"",
        "-- | unexpected argument \"--\""
      })
  void refusesWhatItDoesNotUnderstand(String argument, String message) {
    assertThat(CommandLine.read(argument))
        .isInstanceOfSatisfying(
            CommandLine.Refused.class, refused -> assertThat(refused.message()).contains(message));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h"})
  void listsFlagsAndProperties(String asked) {
    assertThat(CommandLine.read("--agent-name=mine", asked))
        .isInstanceOfSatisfying(
            CommandLine.Help.class,
            help ->
                assertThat(help.text())
                    .contains("--apiexportendpointslice-ref", "--disabled-controllers")
                    .contains("--mooring.sync-agent.adoption"));
  }
}
