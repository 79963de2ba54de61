package dev.mooring.acceptance;

import dev.mooring.cli.demo.CertificateOperator;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.demo.DemoRemoval;
import dev.mooring.cli.demo.Narrator;
import dev.mooring.cli.demo.Story;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.WorkspacePath;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The whole of Mooring, running, as a parameter of tests: started once for all of them, on the
 * sandbox or on the kcp of {@code KCP_KUBECONFIG}, with providers prepared and consumers bound.
 */
public final class Mooring implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(Mooring.class);

  /** What the tests are given. */
  public record Running(Suite suite, DemoEnvironment stage, Story story) {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Running.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(Started.class, key -> new Started("acceptance"), Started.class)
        .running;
  }

  /** Closed by JUnit after the last test of the run, or by a test that takes Mooring apart. */
  static final class Started implements AutoCloseable {
    private final Suite suite;
    private final DemoEnvironment stage;
    private final DemoRemoval removal;
    private final CertificateOperator operator;
    private final Running running;

    /**
     * @param name of its directory and of its workspaces
     */
    Started(String name) {
      this(name, KcpChoice.fromEnvironment(), _ -> {});
    }

    /**
     * @param before what is done in kcp before anything is prepared in it
     */
    Started(String name, KcpChoice choice, Consumer<DemoEnvironment> before) {
      ProjectLayout layout = ProjectLayout.find();
      Path directory = layout.root().resolve("acceptance-tests/target").resolve(name);
      suite = new Suite(layout, directory, PortPlan.free(), choice);
      try {
        Files.createDirectories(directory);
        var narrator =
            new Narrator(
                new PrintStream(directory.resolve("story.log").toFile(), StandardCharsets.UTF_8),
                Narrator.Look.PLAIN);
        suite.launchClusters();
        String org = name + "-" + Long.toString(Instant.now().toEpochMilli(), 36);
        stage =
            new DemoEnvironment(
                suite,
                WorkspacePath.ROOT.child(org),
                suite.awaitKcp(),
                suite.awaitServiceCluster());
        removal = DemoRemoval.of(stage);
        operator =
            new CertificateOperator(
                stage.serviceCluster().client(), directory.resolve("certificate-operator"));
        before.accept(stage);
        var story = Story.of(stage, narrator, Duration.ofSeconds(120));
        story.prepare();
        running = new Running(suite, stage, story);
      } catch (IOException e) {
        suite.close();
        throw new java.io.UncheckedIOException(e);
      } catch (RuntimeException e) {
        suite.close();
        throw e;
      }
    }

    Running running() {
      return running;
    }

    @Override
    public void close() {
      operator.close();
      removal.close();
      stage.close();
      suite.close();
    }
  }
}
