"""Sums the tests of Surefire's reports, names what failed, and holds the number run to a floor.

Reports older than --newer-than are left over from an earlier build and do not count. A test may be
skipped only for want of something that is not in the clone; its reason then says "skipped: " and
what is missing. One test may fail and pass when run again: it is named, and more of them are a failure.
"""

import argparse
import os
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

SHOWN_CHARS_MAX = 600
OWN_FRAMES_MAX = 6
FLAKY_MAX = 1
FOR_WANT_OF = "skipped: "


def reports(root, newer_than):
    for path in sorted(root.glob("*/target/surefire-reports/TEST-*.xml")):
        if newer_than is None or path.stat().st_mtime >= newer_than:
            yield path


def describe(problem):
    """The beginning of a failure, and the frames of the project's own code that led to it."""
    text = (problem.text or problem.get("message") or "").strip()
    stack = problem.findtext("stackTrace") or text
    frames = [line.strip() for line in stack.splitlines() if line.strip().startswith("at dev.mooring.")]
    return "\n    ".join((text or stack.strip())[:SHOWN_CHARS_MAX].splitlines() + frames[:OWN_FRAMES_MAX])


def reason_of(skip):
    """The reason of a skipped test in one line.

    Surefire leaves the attribute out where a stack trace follows, and breaks the line after the
    exception's class where the reason has several lines.
    """
    said = skip.get("message") or (skip.text or "").split("\n\tat ")[0]
    return " ".join(said.split())[:SHOWN_CHARS_MAX] or "no reason given"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--newer-than", metavar="FILE", help="count only reports written after FILE")
    parser.add_argument("--floor", type=int, default=1, help="fewer tests run than this is a failure")
    options = parser.parse_args()
    newer_than = os.stat(options.newer_than).st_mtime if options.newer_than else None

    total = failed = skipped = 0
    per_module = {}
    skips = []
    unexcused = 0
    flakes = []
    silent = []
    for path in reports(options.root, newer_than):
        suite = ElementTree.parse(path).getroot()
        total += int(suite.get("tests", 0))
        failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped += int(suite.get("skipped", 0))
        module = path.parts[-4]
        if int(suite.get("tests", 0)) == 0:
            silent.append(suite.get("name"))
        per_module[module] = per_module.get(module, 0) + int(suite.get("tests", 0)) - int(suite.get("skipped", 0))
        for case in suite.iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}"
            for problem in list(case.findall("failure")) + list(case.findall("error")):
                print(f"FAILED {name}\n    {describe(problem)}")
            for problem in case.findall("flakyFailure") + case.findall("flakyError"):
                flakes.append(f"FLAKY {name}\n    {describe(problem)}")
            skip = case.find("skipped")
            if skip is not None:
                reason = reason_of(skip)
                excused = FOR_WANT_OF in reason
                unexcused += 0 if excused else 1
                skips.append(f"{'skipped' if excused else 'SKIPPED'} {name}: {reason}")

    for skip in skips:
        print(skip)
    # Surefire keeps no reason where a whole class is skipped.
    for name in silent:
        if not name.endswith("E2E"):
            print(f"no test ran in {name}")
    print(f"{sum(name.endswith('E2E') for name in silent)} classes for a real kcp did not run")
    for module, count in per_module.items():
        print(f"{count:6d} {module}")
    run = total - skipped
    print(f"{run - failed} passed, {failed} failed, {skipped} skipped")
    # Last, where it is seen although the build passes.
    for flake in flakes:
        print(flake)
    if flakes:
        print("Each test that is FLAKY failed once as shown, and passed when it ran again. Its cause is wanted.")
    if run < options.floor:
        print(f"only {run} tests ran; the floor in .ci/tests-floor is {options.floor}", file=sys.stderr)
        return 1
    if unexcused:
        print(f"{unexcused} tests were skipped that need nothing but the clone", file=sys.stderr)
        return 1
    if len(flakes) > FLAKY_MAX:
        print(f"{len(flakes)} tests failed before they passed; {FLAKY_MAX} may", file=sys.stderr)
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
