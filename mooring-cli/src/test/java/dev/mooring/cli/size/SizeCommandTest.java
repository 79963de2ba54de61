package dev.mooring.cli.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.CommandRun;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class SizeCommandTest {
  @Test
  void aFewObjectsNeedWhatTheChartGives() {
    Object agent = values("--objects", "1000").get("syncAgent");

    assertThat(Trees.at(agent, "replicas")).isEqualTo(1);
    assertThat(Trees.at(agent, "resources", "limits", "memory")).isEqualTo("640Mi");
    assertThat(Trees.at(agent, "javaOptions")).isEqualTo("-XX:MaxRAMPercentage=60");
    assertThat(Trees.at(agent, "config", "workers")).isEqualTo(8);
  }

  @Test
  void replicasShareWhatOneDoesNotHold() {
    String[] million = {
      "--objects",
      "1000000",
      "--workspaces",
      "10000",
      "--shards",
      "10",
      "--writes-per-second",
      "100"
    };

    Object agent = values(million).get("syncAgent");

    assertThat(Trees.at(agent, "replicas")).isEqualTo(2);
    assertThat(Trees.at(agent, "replicaMode")).isEqualTo("Sharing");
    assertThat(Trees.at(agent, "resources", "limits", "memory")).isEqualTo("3328Mi");
    assertThat(memory(4, million)).isLessThan(3328);
  }

  @Test
  void aProcessorForEachReplicaIsEnough() {
    Object agent = values("--objects", "1000", "--writes-per-second", "600").get("syncAgent");

    assertThat(Trees.at(agent, "replicas")).isEqualTo(5);
  }

  @Test
  void largerObjectsNeedMoreMemory() {
    assertThat(memory(1, "--objects", "100000", "--object-size", "4KiB"))
        .isGreaterThan(2 * memory(1, "--objects", "100000", "--object-size", "1024"));
  }

  @Test
  void saysWhatKcpCarries() {
    CommandRun run =
        CommandRun.of("size", "--objects", "100000", "--shards", "2", "--workspaces", "1000");

    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("writes to a shard                  40/s, of some 290/s")
        .contains("memory of a shard for workspaces   2,350 MiB")
        .contains("\n# values of the chart\nsyncAgent:\n");
  }

  @Test
  void jsonHasNeedsAndValues() {
    CommandRun run = CommandRun.of("size", "--objects", "10", "-o", "json");

    assertThat(Trees.mapOrEmpty(KubeJson.read(run.out()))).containsOnlyKeys("needs", "values");
  }

  @Test
  void refusesWhatIsNoSizeAndNoCount() {
    assertThat(CommandRun.of("size", "--objects", "1", "--object-size", "big"))
        .returns(2, CommandRun::status)
        .returns("mooring: --object-size: big is no size as in 1KiB\n", CommandRun::err);
    assertThat(CommandRun.of("size", "--objects", "1", "--shards", "0").status()).isEqualTo(2);
  }

  @Test
  void thePageOnScalingHasTheSameConstants() throws IOException {
    String page = Files.readString(ProjectLayout.find().file("docs/concepts/scaling.md"));

    assertThat(page)
        .contains(
            "| requests of the agent | %d: finalizer, copy, Event | %d: status, Event | %d: copy,"
                    .formatted(SyncCosts.DOWN, SyncCosts.STATUS, SyncCosts.DELETION)
                + " finalizer, Event |",
            "| processor time [ms] | %.1f | %.1f | %.1f |"
                .formatted(SyncCosts.DOWN_CPU, SyncCosts.STATUS_CPU, SyncCosts.DELETION_CPU),
            "each further KiB takes %.2f ms".formatted(SyncCosts.CONTENT_CPU),
            "| agent without objects | %.0f MiB |".formatted(SyncCosts.EMPTY_HEAP),
            "| object and copy | %.1f KiB, and %.1f KiB for each KiB"
                .formatted(SyncCosts.OBJECT_HEAP, SyncCosts.CONTENT_HEAP),
            "| object of another replica | %.0f KiB |".formatted(SyncCosts.OTHERS_HEAP),
            "leaves %.0f MiB".formatted(SyncCosts.OUTSIDE_HEAP),
            "took %.0f writes a second".formatted(SyncCosts.KCP_WRITES_MAX),
            "takes %.1f MiB of a shard".formatted(SyncCosts.KCP_WORKSPACE));
    for (int replicas : List.of(1, 2, 4, 8)) {
      var model = new SyncModel(1_000_000, 1, 10_000, 10, 1, 100, replicas);
      assertThat(page)
          .contains(
              "| %d | %,d | %.1f GiB | %.1f GiB | %.2f |"
                  .formatted(
                      replicas,
                      1_000_000 / replicas,
                      model.liveHeap() / 1024,
                      model.memoryLimit() / 1024.0,
                      model.cores()));
    }
  }

  private static Map<String, Object> values(String... options) {
    CommandRun run = run("yaml", options);
    assertThat(run.status()).as(run.err()).isZero();
    return new Yaml().load(run.out());
  }

  private static int memory(int replicas, String... options) {
    String[] all = Arrays.copyOf(options, options.length + 2);
    all[options.length] = "--replicas";
    all[options.length + 1] = Integer.toString(replicas);
    Object agent = values(all).get("syncAgent");
    return Integer.parseInt(Trees.text(agent, "resources", "limits", "memory").replace("Mi", ""));
  }

  private static CommandRun run(String format, String... options) {
    var arguments = new ArrayList<String>();
    arguments.add("size");
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("-o", format));
    return CommandRun.of(arguments.toArray(String[]::new));
  }
}
