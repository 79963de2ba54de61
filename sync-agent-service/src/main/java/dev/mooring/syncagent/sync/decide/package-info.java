/** What is to be done for one consumer's object and its copy. Pure: values in, one plan out. */
package dev.mooring.syncagent.sync.decide;
