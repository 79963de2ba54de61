/**
 * What the sync agent publishes and how it marks what it copies: {@code PublishedResource} of
 * {@code syncagent.kcp.io/v1alpha1}, naming, projection of schemas, and the labels, annotations and
 * finalizers that are shared with the Go agent, byte for byte.
 */
package dev.mooring.syncagent.published;
