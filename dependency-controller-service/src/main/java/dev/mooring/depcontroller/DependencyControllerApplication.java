package dev.mooring.depcontroller;

import dev.mooring.runtime.time.VirtualThreadParallelism;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Has providers' API servers ask the dependency webhook before they delete what rules protect. */
@SpringBootApplication
public class DependencyControllerApplication {
  public static void main(String[] args) {
    VirtualThreadParallelism.provide();
    SpringApplication.run(DependencyControllerApplication.class, ControllerFlags.ofMain(args));
  }
}
