package dev.mooring.planted.config;

/** Breaks no rule, unless a feature knows of it. */
public record Settings(String value) {}
