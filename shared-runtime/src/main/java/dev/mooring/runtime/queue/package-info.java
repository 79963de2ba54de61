/** Work queues: one key at a time, with growing delays after failures. */
package dev.mooring.runtime.queue;
