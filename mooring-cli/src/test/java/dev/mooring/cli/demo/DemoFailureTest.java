package dev.mooring.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.harness.DirectoryLock;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the demo says when it cannot begin; the programs here are not the real ones. */
class DemoFailureTest {
  @TempDir Path scratch;

  @Test
  void namesTheProgramThatWasNotBuilt() {
    assertThatThrownBy(() -> run(PortPlan.free()))
        .isInstanceOf(HarnessFailure.class)
        .hasMessageContaining("There is no kcp-sandbox-server/target/kcp-sandbox.jar")
        .hasMessageContaining("./mvnw -DskipTests package");
  }

  @Test
  void showsWhyAProgramDied() throws IOException {
    for (Program program : Program.values()) {
      writeProgram(program);
    }

    assertThatThrownBy(() -> run(PortPlan.free()))
        .isInstanceOf(HarnessFailure.class)
        .hasMessageContaining("has ended with exit status 3")
        .hasMessageContaining("the disk is full");
  }

  @Test
  void startsNothingWhenAPortIsTaken() throws IOException {
    PortPlan free = PortPlan.free();
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var plan =
          new PortPlan(
              free.kcp(),
              free.serviceCluster(),
              taken.getLocalPort(),
              free.controller(),
              free.webhook(),
              free.admission());

      assertThatThrownBy(() -> run(plan))
          .isInstanceOf(HarnessFailure.class)
          .hasMessageContaining("port " + taken.getLocalPort() + ", wanted for the sync agent");
    }
    assertThat(scratch.resolve("demo/logs")).doesNotExist();
  }

  @Test
  void refusesADirectoryThatAnotherDemoUses() {
    try (var other = DirectoryLock.of(scratch.resolve("demo"))) {
      assertThatThrownBy(() -> run(PortPlan.free()))
          .isInstanceOf(HarnessFailure.class)
          .hasMessageContaining("Another demo uses " + other.directory());
    }
  }

  private void run(PortPlan ports) {
    new Demo(new ProjectLayout(scratch), scratch.resolve("demo"), ports, new KcpChoice.Sandbox())
        .run(
            new Narrator(
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                Narrator.Look.PLAIN),
            Demo.Ending.AFTER_STORY);
  }

  private void writeProgram(Program program) throws IOException {
    Path target = scratch.resolve(program.module()).resolve("target");
    writeJar(target.resolve(program.module() + "/" + program.module() + ".jar"));
    writeJar(target.resolve(program.label() + ".jar"));
  }

  private void writeJar(Path jar) throws IOException {
    Files.createDirectories(jar.getParent());
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, DyingProgram.class.getName());
    String file = DyingProgram.class.getName().replace('.', '/') + ".class";
    try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        var in = DyingProgram.class.getClassLoader().getResourceAsStream(file)) {
      out.putNextEntry(new JarEntry(file));
      in.transferTo(out);
      out.closeEntry();
    }
  }

  /** Says why and dies. */
  static final class DyingProgram {
    private DyingProgram() {}

    public static void main(String[] arguments) {
      System.err.println("the disk is full");
      System.exit(3);
    }
  }
}
