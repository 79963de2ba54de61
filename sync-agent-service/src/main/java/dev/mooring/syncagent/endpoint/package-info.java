/** What operators see and ask for over HTTP. */
package dev.mooring.syncagent.endpoint;
