package dev.mooring.runtime.console;

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
  /** An edge between two nodes, by their numbers from 0. */
  record Edge(int from, int to) {}

  /**
   * The place of one node.
   *
   * @param column from the left
   * @param row from the top of the column
   */
  record Place(int column, int row) {}

  private final int nodes;
  private final List<List<Integer>> targets = new ArrayList<>();
  private final List<List<Integer>> origins = new ArrayList<>();
  private final Set<Edge> backward = new HashSet<>();

  private GraphLayout(int nodes, List<Edge> edges) {
    this.nodes = nodes;
    for (int node = 0; node < nodes; node++) {
      targets.add(new ArrayList<>());
      origins.add(new ArrayList<>());
    }
    for (Edge edge : edges) {
      targets.get(edge.from()).add(edge.to());
      origins.get(edge.to()).add(edge.from());
    }
    var state = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      findBackward(node, state);
    }
  }

  /** A place for each node, in their order. The depth of recursion is at most the nodes. */
  static List<Place> places(int nodes, List<Edge> edges) {
    return new GraphLayout(nodes, edges).places();
  }

  /** State 0 is not seen, 1 is on the path from the root, 2 is done. */
  private void findBackward(int node, int[] state) {
    if (state[node] != 0) {
      return;
    }
    state[node] = 1;
    for (int target : targets.get(node)) {
      if (state[target] == 1) {
        backward.add(new Edge(node, target));
      } else {
        findBackward(target, state);
      }
    }
    state[node] = 2;
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

  /** The longest way from a node that nothing leads to. */
  private int[] columns() {
    var columns = new int[nodes];
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int node = 0; node < nodes; node++) {
        for (int target : targets.get(node)) {
          if (!backward.contains(new Edge(node, target)) && columns[target] <= columns[node]) {
            columns[target] = columns[node] + 1;
            changed = true;
          }
        }
      }
    }
    return columns;
  }

  /** Of those in columns before; 0 if there are none. */
  private double meanRow(int node, Place[] places) {
    return origins.get(node).stream()
        .filter(origin -> places[origin] != null)
        .mapToInt(origin -> places[origin].row())
        .average()
        .orElse(0);
  }
}
