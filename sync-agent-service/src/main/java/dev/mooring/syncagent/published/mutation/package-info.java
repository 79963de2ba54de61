/** Rules that change an object's content on its way to the other side. */
package dev.mooring.syncagent.published.mutation;
