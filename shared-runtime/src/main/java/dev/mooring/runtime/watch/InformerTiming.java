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
 * @param returningMax longest pause between attempts while the server does not answer, and for
 *     {@link #RETURNING_FOR} after that, while it refuses what it serves once it has started
 */
public record InformerTiming(
    InstantSource clock, RandomGenerator chance, Backoff backoff, Duration returningMax) {
  /** A kcp shard on two busy processors needs a minute from its first answer to its last type. */
  public static final Duration RETURNING_FOR = Duration.ofMinutes(2);

  /** With the same bound for every end of a watch. */
  public InformerTiming(InstantSource clock, RandomGenerator chance, Backoff backoff) {
    this(clock, chance, backoff, backoff.most());
  }

  /**
   * For informers of which a service has few and on which all its answers depend: a server that is
   * back is found within two seconds.
   */
  public static InformerTiming prompt() {
    InformerTiming usual = system();
    return new InformerTiming(
        usual.clock(), usual.chance(), usual.backoff(), Duration.ofSeconds(2));
  }

  /** From half a second, which a restarting server does not notice, to half a minute. */
  public static InformerTiming system() {
    return new InformerTiming(
        SystemTime.steadyClock(),
        SystemTime.random(),
        new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30)));
  }
}
