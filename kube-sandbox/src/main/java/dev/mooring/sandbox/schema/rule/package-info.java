/** Validation rules in CEL. */
package dev.mooring.sandbox.schema.rule;
