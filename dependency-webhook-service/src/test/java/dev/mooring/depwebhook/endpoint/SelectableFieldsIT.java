package dev.mooring.depwebhook.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class SelectableFieldsIT extends SelectableFieldsContract {
  @BeforeAll
  static void starts(@TempDir Path directory) throws Exception {
    enter(WebhookEnvironment.onSandbox(directory, 1));
    assertThat(served()).isTrue();
  }
}
