package dev.mooring.cli.demo;

import dev.mooring.runtime.client.KubeClient;
import java.nio.file.Path;

/**
 * Where requests go: one workspace, or the service cluster.
 *
 * @param name as the story calls it, such as {@code team-blue}
 * @param kubeconfig with which {@code kubectl} gets there
 */
public record ClusterClient(String name, Path kubeconfig, KubeClient client) {}
