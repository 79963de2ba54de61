package dev.mooring.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Places of a graph's nodes in columns, so that edges lead from left to right except for one of
 * each cycle.
 */
final class GraphLayout {
  private final int nodes;
  private final List<Edge> edges;

  /** An edge between two nodes, by their numbers from 0. */
  record Edge(int from, int to) {}

  /** The place of one node: its column from the left, and its row from the column's top. */
  record Place(int column, int row) {}

  private GraphLayout(int nodes, List<Edge> edges) {
    this.nodes = nodes;
    this.edges = edges;
  }

  /** A place for each node, in their order. The depth of recursion is at most the nodes. */
  static List<Place> places(int nodes, List<Edge> edges) {
    return new GraphLayout(nodes, edges).places();
  }

  private List<Place> places() {
    int[] columns = columns();
    var places = new Place[nodes];
    int last = Arrays.stream(columns).max().orElse(0);
    for (int column = 0; column <= last; column++) {
      int here = column;
      List<Integer> members =
          IntStream.range(0, nodes)
              .filter(node -> columns[node] == here)
              .boxed()
              .sorted(
                  Comparator.<Integer>comparingDouble(node -> meanRow(node, places))
                      .thenComparing(Comparator.naturalOrder()))
              .toList();
      for (int row = 0; row < members.size(); row++) {
        places[members.get(row)] = new Place(column, row);
      }
    }
    return List.of(places);
  }

  /** The longest way from a node that nothing leads to, without edges that close a cycle. */
  private int[] columns() {
    var ends = new ArrayList<Integer>();
    var seen = new HashSet<Integer>();
    IntStream.range(0, nodes).forEach(node -> visit(node, seen, ends));
    var columns = new int[nodes];
    for (int node : ends.reversed()) {
      for (Edge edge : edges) {
        if (edge.from() == node && ends.indexOf(edge.to()) < ends.indexOf(node)) {
          columns[edge.to()] = Math.max(columns[edge.to()], columns[node] + 1);
        }
      }
    }
    return columns;
  }

  /** Adds a node behind all to which it leads, except those from which it was reached. */
  private void visit(int node, Set<Integer> seen, List<Integer> ends) {
    if (seen.add(node)) {
      edges.stream()
          .filter(edge -> edge.from() == node)
          .forEach(edge -> visit(edge.to(), seen, ends));
      ends.add(node);
    }
  }

  /** Of those in columns before; 0 if there are none. */
  private double meanRow(int node, Place[] places) {
    return edges.stream()
        .filter(edge -> edge.to() == node && places[edge.from()] != null)
        .mapToInt(edge -> places[edge.from()].row())
        .average()
        .orElse(0);
  }
}
