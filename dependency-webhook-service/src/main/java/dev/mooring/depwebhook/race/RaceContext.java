package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.race.decide.RaceTimings;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.Pause;
import java.time.InstantSource;

/**
 * The dependencies of both sides.
 *
 * @param workspaces reads of one consumer's workspace
 * @param ids of records
 * @param clock of this replica, for the times of records
 * @param pause between retries
 */
record RaceContext(
    RegisterStore register,
    Workspaces<KubeReader> workspaces,
    RaceTimings timings,
    Ids ids,
    InstantSource clock,
    Pause pause,
    RaceMetrics metrics) {}
