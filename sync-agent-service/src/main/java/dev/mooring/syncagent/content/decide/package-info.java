/** What of an object travels to the other side, and how it is merged there. Pure. */
package dev.mooring.syncagent.content.decide;
