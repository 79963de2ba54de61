package dev.mooring.depcontroller.config;

import dev.mooring.depcontroller.DependencyControllerApplication;
import dev.mooring.runtime.testing.UnknownPropertiesContract;

class UnknownPropertiesTest extends UnknownPropertiesContract {
  @Override
  protected Class<?> application() {
    return DependencyControllerApplication.class;
  }

  @Override
  protected String service() {
    return "dependency-controller";
  }

  @Override
  protected String property() {
    return "api-export-name";
  }

  @Override
  protected String[] required() {
    return new String[] {"--server.port=0"};
  }
}
