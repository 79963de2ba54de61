package dev.mooring.depwebhook;

import dev.mooring.runtime.time.VirtualThreadParallelism;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Refuses the deletion of objects that others still refer to. */
@SpringBootApplication
public class DependencyWebhookApplication {
  public static void main(String[] args) {
    VirtualThreadParallelism.provide();
    SpringApplication.run(DependencyWebhookApplication.class, WebhookFlags.ofMain(args));
  }
}
