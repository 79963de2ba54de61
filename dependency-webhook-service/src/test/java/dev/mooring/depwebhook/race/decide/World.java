package dev.mooring.depwebhook.race.decide;

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
 * @param deletions of targets that were carried out so far
 * @param past states of the dependents that an index may still show, with the last tick at which
 *     they held; the present one is not among them
 * @param faults how many more lost answers and failed accesses there may be
 * @param flawless whether nothing was lost, nobody crashed, and what was approved was carried out
 */
record World(
    int now,
    Optional<TargetObject> target,
    int targetsMade,
    Map<String, DependentObject> dependents,
    Announcements announcements,
    Intents intents,
    int deletions,
    List<Past> past,
    List<Actor> actors,
    int faults,
    boolean flawless) {
  World {
    dependents = Map.copyOf(dependents);
    past = List.copyOf(past);
    actors = List.copyOf(actors);
  }

  record TargetObject(String uid, LiveTarget.Phase phase) {}

  record DependentObject(String uid, int version, boolean refers) {}

  record Past(boolean referred, int until) {}

  static World of(Map<String, DependentObject> dependents, List<Actor> actors, int faults) {
    return new World(
        0,
        Optional.of(new TargetObject("t1", LiveTarget.Phase.ACTIVE)),
        1,
        dependents,
        Announcements.NONE,
        Intents.NONE,
        0,
        List.of(),
        actors,
        faults,
        true);
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
            && announcements.all().isEmpty()
            && intents.all().isEmpty()
            && actors.stream().allMatch(Actor::timeless);
    return timeless ? later.with(List.of(), 0) : later;
  }

  World actor(int index, Actor actor) {
    var changed = new ArrayList<>(actors);
    changed.set(index, actor);
    return new World(
        now,
        target,
        targetsMade,
        dependents,
        announcements,
        intents,
        deletions,
        past,
        changed,
        faults,
        flawless);
  }

  World actors(List<Actor> others) {
    return new World(
        now,
        target,
        targetsMade,
        dependents,
        announcements,
        intents,
        deletions,
        past,
        others,
        faults,
        flawless);
  }

  World announced(UnaryOperator<Announcements> change) {
    return new World(
        now,
        target,
        targetsMade,
        dependents,
        change.apply(announcements),
        intents,
        deletions,
        past,
        actors,
        faults,
        flawless);
  }

  World intended(UnaryOperator<Intents> change) {
    return new World(
        now,
        target,
        targetsMade,
        dependents,
        announcements,
        change.apply(intents),
        deletions,
        past,
        actors,
        faults,
        flawless);
  }

  /** Empty to delete it. */
  World dependent(String name, Optional<DependentObject> object) {
    var changed = new TreeMap<>(dependents);
    object.ifPresentOrElse(present -> changed.put(name, present), () -> changed.remove(name));
    var remembered = new ArrayList<>(past);
    remembered.remove(new Past(anythingRefers(), now));
    remembered.add(new Past(anythingRefers(), now));
    return new World(
        now,
        target,
        targetsMade,
        changed,
        announcements,
        intents,
        deletions,
        remembered,
        actors,
        faults,
        flawless);
  }

  World targetDeleted(Optional<TargetObject> left) {
    return new World(
        now,
        left,
        targetsMade,
        dependents,
        announcements,
        intents,
        deletions + 1,
        past,
        actors,
        faults,
        flawless);
  }

  World targetCreated() {
    return new World(
        now,
        Optional.of(new TargetObject("t" + (targetsMade + 1), LiveTarget.Phase.ACTIVE)),
        targetsMade + 1,
        dependents,
        announcements,
        intents,
        deletions,
        past,
        actors,
        faults,
        flawless);
  }

  /** Of its last finalizer. */
  World targetGone() {
    return new World(
        now,
        Optional.empty(),
        targetsMade,
        dependents,
        announcements,
        intents,
        deletions,
        past,
        actors,
        faults,
        flawless);
  }

  World unbreakable() {
    return new World(
        now,
        target,
        targetsMade,
        dependents,
        announcements,
        intents,
        deletions,
        past,
        actors,
        0,
        flawless);
  }

  World faulty() {
    return new World(
        now,
        target,
        targetsMade,
        dependents,
        announcements,
        intents,
        deletions,
        past,
        actors,
        faults - 1,
        false);
  }

  World flawed() {
    return new World(
        now,
        target,
        targetsMade,
        dependents,
        announcements,
        intents,
        deletions,
        past,
        actors,
        faults,
        false);
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
    return new World(
        then,
        target,
        targetsMade,
        dependents,
        announcements,
        intents,
        deletions,
        remembered,
        actors,
        faults,
        flawless);
  }
}
