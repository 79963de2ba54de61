package dev.mooring.sandbox.quota;

/** Whose rules say what a ResourceQuota counts. */
public enum Counting {
  KUBERNETES,
  /** Objects count by {@code count/} names alone; {@code configmaps} and its like limit nothing. */
  KCP
}
