/**
 * What evaluating an expression costs at most, by the sizes that a schema allows (cel-go {@code
 * checker/cost.go}, apiserver {@code pkg/cel/library/cost.go}).
 */
package dev.mooring.sandbox.cel.cost;
