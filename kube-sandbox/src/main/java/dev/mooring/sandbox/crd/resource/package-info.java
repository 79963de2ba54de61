/** The resources that a CustomResourceDefinition defines. */
package dev.mooring.sandbox.crd.resource;
