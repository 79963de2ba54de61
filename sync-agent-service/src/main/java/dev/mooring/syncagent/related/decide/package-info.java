/** What is to be done for one related object. Pure. */
package dev.mooring.syncagent.related.decide;
