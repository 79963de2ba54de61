package dev.mooring.depcontroller.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaBundleTest {
  @TempDir Path directory;
  private Path file;
  private CaBundle bundle;

  @BeforeEach
  void begin() throws IOException {
    file = directory.resolve("ca.crt");
    write("one");
    bundle = new CaBundle(file.toString());
  }

  @Test
  void hasConfigurationsCorrectedOnceForEachChange() throws IOException {
    assertThat(bundle.hasChanged()).isFalse();

    write("another");

    assertThat(bundle.hasChanged()).isTrue();
    assertThat(bundle.hasChanged()).isFalse();
  }

  @Test
  void refreshesAgainAfterAFailure() throws IOException {
    Files.delete(file);
    bundle.hasChanged();

    write("another");

    assertThat(bundle.hasChanged()).isTrue();
  }

  @Test
  void leavesConfigurationsAloneWhileTheBundleCannotBeRead() throws IOException {
    Files.writeString(file, "no certificate");

    assertThat(bundle.hasChanged()).isFalse();
    assertThatThrownBy(bundle::base64)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("holds no PEM certificate");
  }

  private void write(String certificate) throws IOException {
    Files.writeString(file, "-----BEGIN CERTIFICATE-----" + certificate);
  }
}
