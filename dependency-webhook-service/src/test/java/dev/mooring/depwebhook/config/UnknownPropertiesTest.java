package dev.mooring.depwebhook.config;

import dev.mooring.depwebhook.DependencyWebhookApplication;
import dev.mooring.runtime.testing.UnknownPropertiesContract;

class UnknownPropertiesTest extends UnknownPropertiesContract {
  @Override
  protected Class<?> application() {
    return DependencyWebhookApplication.class;
  }

  @Override
  protected String service() {
    return "dependency-webhook";
  }

  @Override
  protected String property() {
    return "api-export-name";
  }

  @Override
  protected String[] required() {
    return new String[] {"--server.port=0", "--management.server.port=0"};
  }
}
