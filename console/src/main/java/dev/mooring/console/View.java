package dev.mooring.console;

import java.util.List;
import java.util.function.Function;

/**
 * One page of a {@link Console}.
 *
 * @param path last segment of its URL
 * @param title also its name in the navigation
 * @param permission the nonResourceURL that a caller has to be permitted to {@code get}: that of
 *     the endpoint with the same data
 * @param sections of one request
 */
public record View(
    String path, String title, String permission, Function<Query, List<Section>> sections) {}
