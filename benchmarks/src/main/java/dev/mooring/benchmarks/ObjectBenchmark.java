package dev.mooring.benchmarks;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What every object that passes through Mooring costs: reading, writing, comparing. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls makeObject first.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ObjectBenchmark {
  /** Items in the object's spec: 10 makes about 1 KB of JSON, 1,000 about 100 KB. */
  @Param({"10", "1000"})
  public int items;

  private byte[] json;
  private KubeObject object;
  private KubeObject changed;

  @Setup
  public void makeObject() {
    List<Map<String, Object>> list = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      list.add(
          Map.of("name", "item-" + i, "size", i, "labels", Map.of("app", "shop", "tier", "x")));
    }
    object =
        KubeObject.of(
            Map.of(
                "apiVersion",
                "example.org/v1",
                "kind",
                "Basket",
                "metadata",
                Map.of("name", "basket", "namespace", "default"),
                "spec",
                Map.of("items", list, "owner", "blue")));
    changed = object.with("green", "spec", "owner");
    json = KubeJson.write(object);
  }

  @Benchmark
  public KubeObject read() {
    return KubeJson.readObject(json);
  }

  @Benchmark
  public byte[] write() {
    return KubeJson.write(object);
  }

  @Benchmark
  public Map<String, Object> diff() {
    return MergePatch.diff(object.tree(), changed.tree());
  }
}
