/** Servers and credentials, as kubeconfigs and mounted files name them. */
package dev.mooring.runtime.client.credentials;
