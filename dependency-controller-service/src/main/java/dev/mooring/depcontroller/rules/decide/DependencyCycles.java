package dev.mooring.depcontroller.rules.decide;

import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ObjectKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Types that may refer to each other in a circle, so that their objects could keep each other from
 * being deleted. A circle may be intended (a VPC that peers with a VPC), so its rules stay in force
 * with the condition {@code Cyclic}.
 */
public final class DependencyCycles {
  /** Keeps the message readable. */
  private static final int NAMED_MAX = 12;

  /** Of the types that a target leads to, nearest first: tenants' rules decide on their number. */
  private static final int SEARCHED_MAX = 32;

  private final Map<Node, Node> component;

  /** The edges that are part of a cycle. */
  private final Map<Node, List<Node>> circular = new HashMap<>();

  /**
   * A type of one provider.
   *
   * @param provider its logical cluster, or the path while it is not resolved
   */
  private record Node(GroupResource type, String provider) implements Comparable<Node> {
    private static final Comparator<Node> ORDER =
        Comparator.comparing(Node::type).thenComparing(Node::provider);

    @Override
    public int compareTo(Node other) {
      return ORDER.compare(this, other);
    }
  }

  private DependencyCycles(ResolvedRules resolvedRules) {
    var edges = new TreeMap<Node, Set<Node>>();
    // One instance of each node: maps compare it by identity first.
    var nodes = new HashMap<Node, Node>();
    for (DependencyRule rule : resolvedRules.rules()) {
      for (ResolvedDependency dependency : resolvedRules.dependencies(rule)) {
        Node from = nodes.computeIfAbsent(dependent(rule), node -> node);
        Node to = nodes.computeIfAbsent(target(dependency), node -> node);
        edges.computeIfAbsent(from, _ -> new TreeSet<>()).add(to);
      }
    }
    this.component = components(edges);
    edges.forEach((from, targets) ->
        circular.put(from, targets.stream().filter(to -> isCircular(from, to)).toList()));
  }

  public static DependencyCycles of(ResolvedRules resolvedRules) {
    return new DependencyCycles(resolvedRules);
  }

  /** Whether a dependency of one of the rules is part of a cycle. */
  public boolean contains(DependencyRule rule, ResolvedDependency dependency) {
    return isCircular(dependent(rule), target(dependency));
  }

  /** Each rule that is part of a cycle, with the shortest one or its begin, as text. */
  public static Map<ObjectKey, String> in(ResolvedRules resolvedRules) {
    var cycles = of(resolvedRules);
    // One search for all that refer to a target.
    var byTarget = new HashMap<Node, List<DependencyRule>>();
    for (DependencyRule rule : resolvedRules.rules()) {
      resolvedRules.dependencies(rule).stream()
          .map(DependencyCycles::target)
          .filter(to -> cycles.isCircular(dependent(rule), to))
          .findFirst()
          .ifPresent(to -> byTarget.computeIfAbsent(to, _ -> new ArrayList<>()).add(rule));
    }
    var found = new HashMap<ObjectKey, String>();
    byTarget.forEach((to, rules) -> {
      Map<Node, Node> before = cycles.search(to);
      rules.forEach(rule -> found.put(rule.key(), text(dependent(rule), to, before)));
    });
    return Map.copyOf(found);
  }

  private boolean isCircular(Node from, Node to) {
    return Objects.equals(component.get(from), component.get(to));
  }

  /** The nearest nodes that another leads to, with the one before each on the shortest way. */
  private Map<Node, Node> search(Node to) {
    var before = new HashMap<Node, Node>();
    var next = new ArrayDeque<Node>(List.of(to));
    while (!next.isEmpty() && before.size() < SEARCHED_MAX) {
      Node here = next.remove();
      for (Node target : circular.getOrDefault(here, List.of())) {
        if (!target.equals(to) && before.putIfAbsent(target, here) == null) {
          next.add(target);
        }
      }
    }
    return before;
  }

  /** From the node by the shortest way back to it, or the way's begin. */
  private static String text(Node from, Node to, Map<Node, Node> before) {
    if (!from.equals(to) && !before.containsKey(from)) {
      return from.type() + " → " + to.type() + " → …";
    }
    var backwards = new ArrayList<Node>(List.of(from));
    for (Node step = before.get(from); step != null; step = before.get(step)) {
      backwards.add(step);
    }
    backwards.add(from);
    List<Node> cycle = backwards.reversed();
    var names = cycle.stream().limit(NAMED_MAX).map(node -> node.type().toString()).toList();
    return String.join(" → ", names) + (cycle.size() > NAMED_MAX ? " → …" : "");
  }

  /**
   * Strongly connected components (Kosaraju), without recursion: tenants' rules decide on the
   * depth.
   */
  private static Map<Node, Node> components(Map<Node, Set<Node>> edges) {
    var backwards = new HashMap<Node, Set<Node>>();
    edges.forEach((from, targets) ->
        targets.forEach(to -> backwards.computeIfAbsent(to, _ -> new TreeSet<>()).add(from)));
    var finished = new LinkedHashSet<Node>();
    for (Node root : edges.keySet()) {
      visit(root, edges, finished);
    }
    var component = new HashMap<Node, Node>();
    var assigned = new HashSet<Node>();
    for (Node root : finished.reversed()) {
      visit(root, backwards, assigned).forEach(member -> component.put(member, root));
    }
    return component;
  }

  /**
   * Depth first, each node after those that it leads to.
   *
   * @param finished those that need no visit, to which those that were visited are added
   * @return those that were visited
   */
  private static List<Node> visit(Node root, Map<Node, Set<Node>> edges, Set<Node> finished) {
    var visited = new ArrayList<Node>();
    var entered = new HashSet<Node>();
    var open = new ArrayDeque<Node>(List.of(root));
    while (!open.isEmpty()) {
      Node here = open.peek();
      if (finished.contains(here) || !entered.add(here)) {
        open.pop();
        if (finished.add(here)) {
          visited.add(here);
        }
        continue;
      }
      edges.getOrDefault(here, Set.of()).stream()
          .filter(target -> !finished.contains(target) && !entered.contains(target))
          .forEach(open::push);
    }
    return visited;
  }

  private static Node dependent(DependencyRule rule) {
    return new Node(GroupResource.of(rule.dependent().type()), rule.key().cluster().name());
  }

  private static Node target(ResolvedDependency resolved) {
    String provider =
        switch (resolved.resolution()) {
          case Resolution.Known(var cluster) -> cluster.name();
          case Resolution.Absent(_), Resolution.Unknown(_), Resolution.Pending() ->
              resolved.path().value();
        };
    return new Node(GroupResource.of(resolved.dependency().target()), provider);
  }
}
