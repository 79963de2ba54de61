/** Field errors and name rules in Kubernetes' words. */
package dev.mooring.sandbox.api.validation;
