package dev.mooring.planted.feature;

import dev.mooring.planted.config.Settings;
import dev.mooring.planted.other.Circular;

/** Breaks the rules of slices: it needs the configuration, and what needs it. */
public record Wired(Settings settings, Circular other) {}
