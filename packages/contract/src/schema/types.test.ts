import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOrErrors } from "./check.fixture.ts";
import * as s from "./index.ts";

/** `exactly<A>()` accepts only values whose type is exactly A: otherwise tsc fails. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const exactly =
  <Expected>() =>
  <Actual>(value: Actual, ..._: Same<Actual, Expected> extends true ? [] : [never]): Actual =>
    value;

const Model = s.model("Model", {
  name: s.string(),
  mode: s.literal("batch", "live").default("batch"),
  note: s.string().nullable().optional(),
  tags: s.map(s.integer()).default({}),
  ours: s.extension(s.list(s.string())),
});

/** A value of the type that a client may send. */
const inputOf = <S extends s.AnySchema>(_: S, value: s.Input<S>): s.Input<S> => value;

test("the parsed type has optional keys as k?: T and defaulted keys as present", () => {
  type Parsed = {
    name: string;
    mode: "batch" | "live";
    tags: Record<string, number>;
    note?: string | null;
    ours?: unknown;
  };
  const parsed = exactly<Parsed>()(Model.check({ name: "a" }, [], []));
  assert.deepEqual(parsed, { name: "a", mode: "batch", tags: {} });
});

test("the input type has optional and defaulted keys as k?: T", () => {
  type Sent = {
    name: string;
    mode?: "batch" | "live";
    tags?: Record<string, number>;
    note?: string | null;
    ours?: string[];
  };
  const smallest = exactly<Sent>()(inputOf(Model, { name: "a" }));
  const whole = inputOf(Model, { name: "a", mode: "live", tags: { a: 1 }, note: null, ours: ["x"] });
  assert.deepEqual(parseOrErrors(Model, smallest), { name: "a", mode: "batch", tags: {} });
  assert.deepEqual(parseOrErrors(Model, whole), whole);
});

test("a choice is the union of its schemas, and a list of models is an array of their types", () => {
  const Choice = s.choice(
    "Choice",
    (raw) => (Array.isArray(raw) ? 1 : 0),
    s.string(),
    s.list(s.model("A", { a: s.boolean() })),
  );
  const parsed = exactly<string | { a: boolean }[]>()(Choice.check([{ a: "yes" }], [], []));
  assert.deepEqual(parsed, [{ a: true }]);
});

test("a model with additional properties has them in its type", () => {
  const Open = s.model("Open", { id: s.string() }, { additional: true });
  const parsed = Open.check({ id: "a", further: 5 }, [], []);
  assert.equal(exactly<string>()(parsed.id), "a");
  assert.equal(exactly<unknown>()(parsed.further), 5);
});
