import assert from "node:assert/strict";
import { test } from "node:test";
import { fairChoice, leastLoaded, type OccupiedSlot } from "./fair-share.ts";

const run = (caller: string, environmentId = "dev") => ({ caller, environmentId });
const occupied = (caller: string, environmentId = "dev", slot: OccupiedSlot["slot"] = "shared") => ({
  caller,
  environmentId,
  slot,
});
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => ({ ...item }));
const brief = (chosen: readonly OccupiedSlot[]) =>
  chosen.map(({ caller, environmentId, slot }) => `${caller} ${environmentId} ${slot}`);

test("a single caller gets all shared slots, and no reserved one", () => {
  const chosen = fairChoice(times(10, run("ada")), [], 4);
  assert.deepEqual(
    brief(chosen),
    times(4, "ada dev shared").map(() => "ada dev shared"),
  );
});

test("callers take turns, whoever has queued more or earlier", () => {
  const chosen = fairChoice([...times(50, run("ada")), ...times(3, run("bob"))], [], 4);
  assert.deepEqual(
    chosen.map(({ caller }) => caller),
    ["ada", "bob", "ada", "bob"],
  );
});

test("environments take turns too", () => {
  const chosen = fairChoice([...times(50, run("ci", "dev")), ...times(50, run("ci", "prod"))], [], 4);
  assert.deepEqual(
    chosen.map(({ environmentId }) => environmentId),
    ["dev", "prod", "dev", "prod"],
  );
});

test("a caller without a run starts one although another caller holds all shared slots", () => {
  const chosen = fairChoice([run("ada"), run("bob"), run("bob")], times(4, occupied("ada")), 4);
  assert.deepEqual(brief(chosen), ["bob dev caller"]);
});

test("an environment without a run starts one although another environment holds all shared slots", () => {
  const chosen = fairChoice(
    [run("ci", "dev"), run("ci", "prod"), run("ci", "prod")],
    times(4, occupied("ci", "dev")),
    4,
  );
  assert.deepEqual(brief(chosen), ["ci prod environment"]);
});

test("one caller with many environments leaves the slots for other callers free", () => {
  const running = [...times(4, occupied("ada", "e0"))];
  const many = Array.from({ length: 20 }, (_, n) => run("ada", `e${n}`));
  const taken = fairChoice(many, running, 4);
  assert.deepEqual(
    taken.map(({ slot }) => slot),
    ["environment", "environment"],
  );
  const chosen = fairChoice([...many, run("bob", "e0")], [...running, ...taken], 4);
  assert.deepEqual(brief(chosen), ["bob e0 caller"]);
});

test("no more than twice as many runs as slots, however many callers wait", () => {
  const callers = Array.from({ length: 50 }, (_, n) => run(`c${n}`, `e${n}`));
  assert.equal(fairChoice(callers, [], 4).length, 8);
  assert.equal(fairChoice(callers, [], 1).length, 3);
});

test("the least loaded share comes first, then the one that has waited longest", () => {
  const shares = [
    { ...run("ada"), oldest: "1" },
    { ...run("bob"), oldest: "3" },
    { ...run("eve"), oldest: "2" },
  ];
  assert.deepEqual(
    leastLoaded(shares, [occupied("ada", "prod")]).map(({ caller }) => caller),
    ["eve", "bob", "ada"],
  );
});
