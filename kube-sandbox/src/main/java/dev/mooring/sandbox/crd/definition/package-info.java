/** Validation, naming and status of CustomResourceDefinitions. */
package dev.mooring.sandbox.crd.definition;
