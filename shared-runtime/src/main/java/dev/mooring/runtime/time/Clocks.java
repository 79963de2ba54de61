package dev.mooring.runtime.time;

import java.time.InstantSource;

/**
 * The two clocks of a process.
 *
 * @param wall for points in time that others read; may be set back
 * @param steady for ages and deadlines; never goes back
 */
public record Clocks(InstantSource wall, InstantSource steady) {}
