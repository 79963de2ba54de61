package dev.mooring.acceptance;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code mooring why}, and the table of its answers in docs/how-to/find-causes.md. */
final class Why {
  private Why() {}

  /** Waits until the command names the cause, and holds the page's table to it. */
  static KubeObject answers(
      String trouble, String reason, Path kubeconfig, String type, String name, String... more) {
    assertDocumented(trouble, reason);
    await()
        .untilAsserted(() ->
            assertThat(ask(kubeconfig, type, name, more).text("cause", "reason"))
                .isEqualTo(reason));
    return ask(kubeconfig, type, name, more);
  }

  static void assertDocumented(String trouble, String reason) {
    try {
      assertThat(Files.readString(ProjectLayout.find().file("docs/how-to/find-causes.md")))
          .contains("| " + trouble + " | `" + reason + "` |");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static KubeObject ask(Path kubeconfig, String type, String name, String... more) {
    var arguments = new ArrayList<>(List.of(type, name, "-o", "json"));
    arguments.addAll(List.of(more));
    MooringRun run = run(kubeconfig, arguments.toArray(String[]::new));
    assertThat(run.err()).isEmpty();
    try {
      return KubeJson.readObject(run.out().getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJson e) {
      throw new AssertionError(run.out(), e);
    }
  }

  static MooringRun run(Path kubeconfig, String... arguments) {
    var all = new ArrayList<>(List.of("why", "--kubeconfig", kubeconfig.toString()));
    all.addAll(List.of(arguments));
    return MooringRun.of(all);
  }
}
