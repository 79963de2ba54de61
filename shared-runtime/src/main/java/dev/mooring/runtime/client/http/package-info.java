/** Sends the requests of a {@link dev.mooring.runtime.client.KubeClient} over HTTP. */
package dev.mooring.runtime.client.http;
