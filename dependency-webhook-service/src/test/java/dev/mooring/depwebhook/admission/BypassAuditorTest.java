package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.decided;
import static dev.mooring.depwebhook.Fixtures.deletion;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.mooring.depwebhook.admission.decide.DeletionFacts;
import dev.mooring.depwebhook.admission.decide.DeletionFacts.Bypasses;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.testing.LoggedLines;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Events go nowhere here. */
class BypassAuditorTest {
  private static final String UNREACHABLE = "http://127.0.0.1:9";

  @RegisterExtension final LoggedLines lines = new LoggedLines(BypassAuditor.class);
  private final DependencyRule rule = vmNeedsVpc();
  private final MatchedRule statement = new MatchedRule(rule, rule.dependencies().getFirst());

  @Test
  void countsARuleOnceThatHasSeveralStatementsAboutTheTarget(@TempDir Path files)
      throws IOException {
    decide(files, List.of(statement, statement, statement, statement));

    assertThat(lines.all())
        .extracting(ILoggingEvent::getFormattedMessage)
        .singleElement()
        .asString()
        .endsWith("without regard to 1 rule");
  }

  @Test
  void saysNothingOfADeletionThatWentPastNoRule(@TempDir Path files) throws IOException {
    decide(files, List.of());

    assertThat(lines.all()).isEmpty();
  }

  private void decide(Path files, List<MatchedRule> bypassed) throws IOException {
    Path kubeconfig =
        Files.writeString(
            files.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: a
            contexts: [{name: a, context: {cluster: a, user: a}}]
            clusters: [{name: a, cluster: {server: "%s"}}]
            users: [{name: a, user: {}}]
            """
                .formatted(UNREACHABLE));
    try (var kcp = KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("test"));
        var events = EventRecorder.start("test", "test")) {
      new BypassAuditor(events, _ -> kcp.client(URI.create(UNREACHABLE)))
          .decided(
              deletion(
                  KubeObject.of(Map.of("metadata", Map.of("name", VPC.key().name()))),
                  Optional.empty()),
              decided(
                  new DeletionFacts(VPC, Mode.DENY)
                      .with(new Rules.Loaded<>(List.of(statement)))
                      .with(new Bypasses(bypassed, List.of()))
                      .with(new LookupResult.Complete(Map.of(), List.of()))));
    }
  }
}
