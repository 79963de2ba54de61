package dev.mooring.runtime.queue;

import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.time.SystemTime;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** A queue's time and chance. */
public record QueueTiming(InstantSource clock, Scheduler scheduler, RandomGenerator chance) {
  public static QueueTiming system() {
    return new QueueTiming(SystemTime.steadyClock(), SystemTime.scheduler(), SystemTime.random());
  }
}
