/**
 * CustomResourceDefinitions: what makes one valid, how it lives, and which resources it serves. The
 * definitions of resources are made by {@link dev.mooring.sandbox.crd.resource.CustomResources},
 * for bound APIs as well.
 */
package dev.mooring.sandbox.crd;
