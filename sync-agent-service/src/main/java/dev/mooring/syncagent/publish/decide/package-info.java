/** What is to be done for one PublishedResource in the export's workspace. Pure. */
package dev.mooring.syncagent.publish.decide;
