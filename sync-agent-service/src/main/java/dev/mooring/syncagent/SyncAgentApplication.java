package dev.mooring.syncagent;

import dev.mooring.runtime.time.VirtualThreadParallelism;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs the agent as a service. */
@SpringBootApplication
@ConfigurationPropertiesScan("dev.mooring.syncagent.config")
public class SyncAgentApplication {
  /** Go's flag packages end the process with it. */
  private static final int USAGE_ERROR = 2;

  public static void main(String[] arguments) {
    VirtualThreadParallelism.provide();
    VirtualThreadParallelism.adapt();
    switch (CommandLine.read(arguments)) {
      case CommandLine.Start start -> run(start);
      case CommandLine.Help(var text) -> System.out.println(text);
      case CommandLine.Refused(var message) -> {
        System.err.println(CommandLine.PROGRAM + ": " + message);
        System.exit(USAGE_ERROR);
      }
    }
  }

  static ConfigurableApplicationContext run(CommandLine.Start start) {
    var application = new SpringApplication(SyncAgentApplication.class);
    application.setDefaultProperties(start.defaults());
    return application.run(start.arguments().toArray(String[]::new));
  }
}
