package dev.mooring.depwebhook.race.decide;

import dev.mooring.depwebhook.race.decide.ReferenceStep.LiveTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * All that can be told apart at one moment: one consumer's workspace with one target name and a few
 * dependents, the register, what an index may still believe, and how far each request is. A value:
 * two worlds that are equal have the same futures.
 *
 * @param now ticks of true time
 * @param dependents by name
 * @param past states of the dependents that an index may still show, with the last tick at which
 *     they held; the present one is not among them
 */
record World(
    int now,
    TargetLife life,
    Map<String, DependentObject> dependents,
    RegisterPage records,
    List<Past> past,
    List<Actor> actors,
    Luck luck) {
  World {
    dependents = Map.copyOf(dependents);
    past = List.copyOf(past);
    actors = List.copyOf(actors);
  }

  record TargetObject(String uid, LiveTarget.Phase phase) {}

  /**
   * @param made how many targets there were by this name
   * @param deletions how many of them were deleted
   */
  record TargetLife(Optional<TargetObject> target, int made, int deletions) {
    TargetLife next() {
      var target = new TargetObject("t" + (made + 1), LiveTarget.Phase.ACTIVE);
      return new TargetLife(Optional.of(target), made + 1, deletions);
    }
  }

  /**
   * @param faults how many more lost answers and failed accesses there may be
   * @param flawless whether nothing was lost, nobody crashed, and what was approved was carried out
   */
  record Luck(int faults, boolean flawless) {}

  record DependentObject(String uid, int version, boolean refers) {}

  record Past(boolean referred, int until) {}

  static World of(Map<String, DependentObject> dependents, List<Actor> actors, int faults) {
    return new World(
        0,
        new TargetLife(Optional.empty(), 0, 0).next(),
        dependents,
        RegisterPage.EMPTY,
        List.of(),
        actors,
        new Luck(faults, true));
  }

  Optional<TargetObject> target() {
    return life.target();
  }

  int deletions() {
    return life.deletions();
  }

  int faults() {
    return luck.faults();
  }

  boolean flawless() {
    return luck.flawless();
  }

  /**
   * Some ticks later; what an index must have noticed by then is forgotten. Where nothing is left
   * that any clock could tell, it is as if no time had passed.
   */
  World later(int ticks, int indexAge) {
    int then = now + ticks;
    World later = with(past.stream().filter(one -> then - one.until() < indexAge).toList(), then);
    boolean timeless =
        later.past().isEmpty()
            && records.equals(RegisterPage.EMPTY)
            && actors.stream().allMatch(Actor::timeless);
    return timeless ? later.with(List.of(), 0) : later;
  }

  World actor(int index, Actor actor) {
    var changed = new ArrayList<>(actors);
    changed.set(index, actor);
    return actors(changed);
  }

  World actors(List<Actor> others) {
    return new World(now, life, dependents, records, past, others, luck);
  }

  World recorded(UnaryOperator<RegisterPage> change) {
    return new World(now, life, dependents, change.apply(records), past, actors, luck);
  }

  /** Empty to delete it. */
  World dependent(String name, Optional<DependentObject> object) {
    var changed = new TreeMap<>(dependents);
    object.ifPresentOrElse(present -> changed.put(name, present), () -> changed.remove(name));
    var remembered = new ArrayList<>(past);
    remembered.remove(new Past(anythingRefers(), now));
    remembered.add(new Past(anythingRefers(), now));
    return new World(now, life, changed, records, remembered, actors, luck);
  }

  World targetDeleted(Optional<TargetObject> left) {
    return with(new TargetLife(left, life.made(), deletions() + 1));
  }

  World targetCreated() {
    return with(life.next());
  }

  /** Of its last finalizer. */
  World targetGone() {
    return with(new TargetLife(Optional.empty(), life.made(), deletions()));
  }

  World unbreakable() {
    return with(new Luck(0, flawless()));
  }

  World faulty() {
    return with(new Luck(faults() - 1, false));
  }

  World flawed() {
    return with(new Luck(faults(), false));
  }

  /** Whether somebody's deletion of the target is neither refused nor carried out. */
  boolean deletionUnderWay() {
    return actors.stream()
        .map(Actor::state)
        .anyMatch(state ->
            state instanceof Actor.State.Deleting || state instanceof Actor.State.ApprovedDeletion);
  }

  boolean anythingRefers() {
    return dependents.values().stream().anyMatch(DependentObject::refers);
  }

  private World with(List<Past> remembered, int then) {
    return new World(then, life, dependents, records, remembered, actors, luck);
  }

  private World with(TargetLife next) {
    return new World(now, next, dependents, records, past, actors, luck);
  }

  private World with(Luck left) {
    return new World(now, life, dependents, records, past, actors, left);
  }
}
