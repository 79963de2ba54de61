package dev.mooring.runtime.watch;

import dev.mooring.runtime.time.Backoff;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * An informer's time and chance.
 *
 * @param backoff between attempts while the server does not answer or refuses
 */
public record InformerTiming(InstantSource clock, RandomGenerator chance, Backoff backoff) {
  /** From half a second, which a restarting server does not notice, to half a minute. */
  public static InformerTiming system() {
    return new InformerTiming(
        SystemTime.steadyClock(),
        SystemTime.random(),
        new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30)));
  }
}
