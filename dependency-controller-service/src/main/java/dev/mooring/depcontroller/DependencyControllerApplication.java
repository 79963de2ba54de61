package dev.mooring.depcontroller;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Has providers' API servers ask the dependency webhook before they delete what rules protect. */
@SpringBootApplication
public class DependencyControllerApplication {
  public static void main(String[] args) {
    SpringApplication.run(DependencyControllerApplication.class, args);
  }
}
