package dev.mooring.depwebhook.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.config.WebhookProperties;
import dev.mooring.runtime.time.ManualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.mock.env.MockEnvironment;

class DrainTest {
  private final ManualTime time = new ManualTime();

  @Test
  void takesAsLongAsThePropertySays() {
    var drain = new Drain(drainOf("30s"), time);
    drain.start();
    var stopped = new AtomicInteger();

    drain.stop(stopped::incrementAndGet);

    assertThat(drain.lastOfItsConnection()).isTrue();
    time.advance(Duration.ofSeconds(29));
    assertThat(stopped).hasValue(0);
    time.advance(Duration.ofSeconds(1));
    assertThat(stopped).hasValue(1);
  }

  private static WebhookProperties drainOf(String length) {
    var environment = new MockEnvironment();
    environment.setProperty("mooring.dependency-webhook.drain", length);
    return Binder.get(environment)
        .bindOrCreate("mooring.dependency-webhook", WebhookProperties.class);
  }
}
