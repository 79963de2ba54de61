/** Strategies and defaults of pods, services, deployments and autoscalers. */
package dev.mooring.sandbox.builtin.workload;
