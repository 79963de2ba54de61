package dev.mooring.depwebhook.endpoint;

import org.junit.jupiter.api.AfterAll;

/** Tests of a class that share an environment, which ends with them. */
abstract class OnWebhookEnvironment {
  /** Null while no class of tests has one. */
  static WebhookEnvironment land;

  @AfterAll
  static void leave() {
    if (land != null) {
      land.close();
      land = null;
    }
  }
}
