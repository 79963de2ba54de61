package dev.mooring.runtime.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.testing.Seeds;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Processes that join, stall, crash, leave and lose requests or answers; while one waits for an
 * answer, the others go on. At every moment a logical cluster is at most one process's to write in,
 * and once all is calm, exactly one's.
 */
class ReplicasSimulation {
  private static final int SEEDS = 400;
  private static final int STEPS = 250;
  private static final Map.Entry<String, String> GROUP = Map.entry("replica-of", "agent");
  private static final List<LogicalCluster> CLUSTERS =
      IntStream.range(0, 12).mapToObj(i -> new LogicalCluster("c" + i)).toList();

  static IntStream seeds() {
    return Seeds.of(SEEDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aClusterIsNeverTwoProcesses(long seed) {
    new Run(seed).play();
  }

  /** One seed. */
  private static final class Run {
    private final RandomGenerator chance;
    private final TreeMap<String, KubeObject> leases = new TreeMap<>();
    private final List<Runnable> late = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private final long seed;
    private final double losing;
    private Instant now = Instant.EPOCH;
    private long versions;
    private int started;
    private int depth;
    private boolean calm;

    Run(long seed) {
      this.seed = seed;
      this.chance = new Random(seed * 7_919 + 13);
      this.losing = chance.nextBoolean() ? 0 : chance.nextDouble() / 4;
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      calm = true;
      for (int round = 0; round < 60; round++) {
        now = now.plusSeconds(1);
        processes.forEach(process -> process.working.clear());
        processes.forEach(Process::look);
        check();
      }
      if (!processes.isEmpty()) {
        for (LogicalCluster cluster : CLUSTERS) {
          assertThat(processes.stream().filter(each -> each.mayWrite(cluster)))
              .as("seed %d: whose %s is in the end", seed, cluster)
              .hasSize(1);
        }
      }
    }

    private void step() {
      now = now.plusMillis(chance.nextInt(chance.nextInt(20) == 0 ? 12_000 : 1_500));
      if (!late.isEmpty() && chance.nextInt(4) == 0) {
        late.remove(chance.nextInt(late.size())).run();
      }
      check();
      if (processes.isEmpty() || processes.size() < 4 && chance.nextInt(25) == 0) {
        processes.add(new Process("p" + started++));
      }
      Process one = processes.get(chance.nextInt(processes.size()));
      switch (chance.nextInt(40)) {
        case 0 -> {
          if (!one.looking) {
            processes.remove(one); // it crashed
          }
        }
        case 1 -> {
          if (!one.looking) {
            one.working.clear();
            processes.remove(one);
            one.replicas.leave();
          }
        }
        case 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 -> one.work();
        case 12, 13, 14, 15, 16, 17 -> one.endSome();
        default -> one.look();
      }
      check();
    }

    private void check() {
      for (LogicalCluster cluster : CLUSTERS) {
        List<String> writers =
            processes.stream()
                .filter(each -> each.mayWrite(cluster))
                .map(each -> each.name)
                .toList();
        assertThat(writers).as("seed %d: who may write in %s", seed, cluster).hasSizeLessThan(2);
      }
    }

    /** While one waits, all others may do something. */
    private void meanwhile() {
      if (!calm && depth < 3) {
        depth++;
        for (int steps = chance.nextInt(6); steps > 0; steps--) {
          step();
        }
        depth--;
      }
    }

    private <T> T asked(Supplier<T> request) {
      meanwhile();
      double fate = calm ? 1 : chance.nextDouble();
      if (fate < losing) {
        if (chance.nextBoolean()) {
          late.add(() -> {
            try {
              request.get();
            } catch (KubeFailure e) {
              // The process that asked has given up.
            }
          });
        }
        throw KubeFailure.unavailable("lost", null);
      }
      T answer = request.get();
      meanwhile();
      if (fate < 2 * losing) {
        throw KubeFailure.unavailable("the answer is lost", null);
      }
      return answer;
    }

    private KubeObject stored(KubeObject lease, String uid) {
      KubeObject stored =
          lease
              .with(uid, "metadata", "uid")
              .with(String.valueOf(++versions), "metadata", "resourceVersion");
      leases.put(lease.name(), stored);
      return stored;
    }

    private KubeObject create(KubeObject lease) {
      if (leases.containsKey(lease.name())) {
        throw failure(Kind.ALREADY_EXISTS);
      }
      return stored(lease, "u" + versions);
    }

    private KubeObject update(KubeObject lease) {
      KubeObject present =
          Optional.ofNullable(leases.get(lease.name())).orElseThrow(() -> failure(Kind.NOT_FOUND));
      if (!present.resourceVersion().equals(lease.resourceVersion())) {
        throw failure(Kind.CONFLICT);
      }
      return stored(lease, present.uid());
    }

    private boolean delete(String name, DeleteCondition condition) {
      KubeObject present =
          Optional.ofNullable(leases.get(name)).orElseThrow(() -> failure(Kind.NOT_FOUND));
      var unchanged = (DeleteCondition.Unchanged) condition;
      if (!present.uid().equals(unchanged.uid())
          || !present.resourceVersion().equals(unchanged.resourceVersion())) {
        throw failure(Kind.CONFLICT);
      }
      return leases.remove(name) != null;
    }

    private static KubeFailure failure(Kind kind) {
      return new KubeFailure(kind, 409, "", kind.toString(), null, null);
    }

    /** Leases alone; any other call breaks the test. */
    private KubeClient client() {
      return (KubeClient)
          Proxy.newProxyInstance(
              KubeClient.class.getClassLoader(),
              new Class<?>[] {KubeClient.class},
              (_, method, arguments) ->
                  switch (method.getName()) {
                    case "list" -> asked(() -> listed());
                    case "create" -> asked(() -> create((KubeObject) arguments[1]));
                    case "update" -> asked(() -> update((KubeObject) arguments[1]));
                    case "delete" -> {
                      asked(() -> delete((String) arguments[2], (DeleteCondition) arguments[3]));
                      yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                  });
    }

    private KubeList listed() {
      return new KubeList(List.copyOf(leases.values()), String.valueOf(versions), "");
    }

    /** One process, and the clusters that it is working in. */
    private final class Process implements ReplicaListener {
      private final String name;
      private final Replicas replicas;
      private final Set<LogicalCluster> working = new HashSet<>();
      private boolean looking;

      Process(String name) {
        this.name = name;
        LeaseTerms terms = LeaseTerms.of("system", "agent." + name, name);
        this.replicas = Replicas.of(client(), terms, GROUP, this, () -> now);
      }

      void look() {
        if (!looking) {
          looking = true;
          replicas.look();
          looking = false;
        }
      }

      void work() {
        LogicalCluster cluster = CLUSTERS.get(chance.nextInt(CLUSTERS.size()));
        if (replicas.isCurrent() && replicas.share().owns(cluster)) {
          working.add(cluster);
        }
      }

      void endSome() {
        working.removeIf(_ -> chance.nextBoolean());
      }

      boolean mayWrite(LogicalCluster cluster) {
        return replicas.isCurrent()
            && (replicas.share().owns(cluster) || working.contains(cluster));
      }

      @Override
      public void divided(Share share) {}

      @Override
      public boolean isWorkingOutside(Predicate<LogicalCluster> owned) {
        return working.stream().anyMatch(owned.negate());
      }

      @Override
      public String note() {
        return "";
      }
    }
  }
}
