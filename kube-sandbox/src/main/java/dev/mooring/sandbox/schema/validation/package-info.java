/** Validation of values against a structural schema. */
package dev.mooring.sandbox.schema.validation;
