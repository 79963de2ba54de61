package dev.mooring.depcontroller;

import dev.mooring.runtime.time.Carriers;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Has providers' API servers ask the dependency webhook before they delete what rules protect. */
@SpringBootApplication
public class DependencyControllerApplication {
  public static void main(String[] args) {
    Carriers.provide();
    String[] arguments;
    try {
      arguments = ControllerFlags.toSpring(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    SpringApplication.run(DependencyControllerApplication.class, arguments);
  }
}
