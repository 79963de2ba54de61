package dev.mooring.depwebhook;

import dev.mooring.runtime.time.Carriers;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Refuses the deletion of objects that others still refer to. */
@SpringBootApplication
public class DependencyWebhookApplication {
  public static void main(String[] args) {
    Carriers.provide();
    String[] arguments;
    try {
      arguments = WebhookFlags.toSpring(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    SpringApplication.run(DependencyWebhookApplication.class, arguments);
  }
}
