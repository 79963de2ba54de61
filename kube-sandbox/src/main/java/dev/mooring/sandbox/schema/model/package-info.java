/** The structural schema, parsed. */
package dev.mooring.sandbox.schema.model;
