/** The running agent: connections, shared watches, what is published and what is synced. */
package dev.mooring.syncagent.agent;
