/**
 * The sync agent: publishes a service cluster's resources into kcp and keeps objects in step.
 *
 * <p>{@code config} wires, {@code endpoint} shows, {@code agent} runs {@code publish} and {@code
 * sync}; packages called {@code decide} are pure.
 */
package dev.mooring.syncagent;
