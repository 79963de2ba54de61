package dev.mooring.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.harness.HarnessFailure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NarratorTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Narrator narrator =
      new Narrator(new PrintStream(bytes, true, StandardCharsets.UTF_8), Narrator.Look.PLAIN);

  @Test
  void showsRequestAnswerAndOutcomeOfAStep() {
    narrator.step(
        "Order",
        () -> {
          narrator.request("team-blue", "kubectl get certificates");
          narrator.answer("shop   Ready: True");
        });

    assertThat(printed())
        .containsSubsequence(
            " 1 Order\n",
            "   team-blue $ kubectl get certificates\n",
            "     shop   Ready: True\n",
            "   ✓ ");
  }

  @Test
  void marksAFailedStepAndPassesTheFailureOn() {
    assertThatThrownBy(() ->
            narrator.step(
                "Order",
                () -> {
                  throw new HarnessFailure("no certificate");
                }))
        .hasMessage("no certificate");

    assertThat(printed()).contains("   ✗ ").doesNotContain("✓");
  }

  @Test
  void cutsLongAnswers() {
    narrator.answer("line\n".repeat(40));

    assertThat(printed().lines()).hasSize(13).last().isEqualTo("     …");
  }

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
