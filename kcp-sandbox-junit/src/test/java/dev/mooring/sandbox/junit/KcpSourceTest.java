package dev.mooring.sandbox.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.sandbox.junit.KcpSource.WithoutEngine;
import dev.mooring.sandbox.junit.WithKcp.Kcp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KcpSourceTest {
  @WithKcp(shards = 2)
  private static final class Anywhere {}

  @WithKcp(on = Kcp.SANDBOX)
  private static final class InTheSandbox {}

  @WithKcp(on = Kcp.REAL)
  private static final class OnARealKcp {}

  private static KcpSource source(Class<?> test, Map<String, String> environment) {
    return KcpSource.of(test.getAnnotation(WithKcp.class), environment);
  }

  @Test
  void isTheSandboxUnlessTheEnvironmentSaysMore(@TempDir Path directory) throws IOException {
    Path kubeconfig = Files.createFile(directory.resolve("admin.kubeconfig"));
    var running = Map.of("KCP_KUBECONFIG", kubeconfig.toString());
    var image = Map.of("KCP_IMAGE", "kcp:mine");

    assertThat(source(Anywhere.class, Map.of())).isEqualTo(new KcpSource.Sandbox(2));
    assertThat(source(Anywhere.class, Map.of("KCP_KUBECONFIG", " ")))
        .isEqualTo(new KcpSource.Sandbox(2));
    assertThat(source(Anywhere.class, running)).isEqualTo(new KcpSource.Running(kubeconfig));
    assertThat(source(Anywhere.class, image))
        .isEqualTo(new KcpSource.Image("kcp:mine", WithoutEngine.FAIL));
    assertThat(source(InTheSandbox.class, running)).isEqualTo(new KcpSource.Sandbox(1));
    assertThat(source(OnARealKcp.class, running)).isEqualTo(new KcpSource.Running(kubeconfig));
    assertThat(source(OnARealKcp.class, image))
        .isEqualTo(new KcpSource.Image("kcp:mine", WithoutEngine.FAIL));
    assertThat(source(OnARealKcp.class, Map.of()))
        .isEqualTo(new KcpSource.Image(KcpSource.DEFAULT_IMAGE, WithoutEngine.SKIP));
  }

  @Test
  void saysWhatIsWrongWithTheEnvironment() {
    assertThatExceptionOfType(KcpProblem.class)
        .isThrownBy(() -> source(Anywhere.class, Map.of("KCP_KUBECONFIG", "/no/such")))
        .withMessage(
            "KCP_KUBECONFIG names /no/such, which cannot be read: correct it, or unset it to use"
                + " the sandbox");
    assertThatExceptionOfType(KcpProblem.class)
        .isThrownBy(
            () -> source(Anywhere.class, Map.of("KCP_KUBECONFIG", "/a", "KCP_IMAGE", "kcp:b")))
        .withMessage(
            "KCP_KUBECONFIG and KCP_IMAGE are both set, but tests run on one kcp: unset one");
  }
}
