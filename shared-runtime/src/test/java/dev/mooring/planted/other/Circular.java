package dev.mooring.planted.other;

import dev.mooring.planted.feature.Wired;

/** Breaks the rule of cycles. */
public record Circular(Wired wired) {}
