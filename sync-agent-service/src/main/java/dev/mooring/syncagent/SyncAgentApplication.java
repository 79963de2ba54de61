package dev.mooring.syncagent;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Runs the agent as a service. */
@SpringBootApplication
@ConfigurationPropertiesScan("dev.mooring.syncagent.config")
public class SyncAgentApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(SyncAgentApplication.class, arguments);
  }
}
