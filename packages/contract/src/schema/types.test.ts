import { test } from "node:test";
import * as s from "./index.ts";

// Checked by tsc; at run time there is nothing to see.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(_: T | undefined = undefined) => {};

const Model = s.model("Model", {
  name: s.string(),
  mode: s.literal("batch", "live").default("batch"),
  note: s.string().nullable().optional(),
  tags: s.map(s.integer()).default({}),
  ours: s.extension(s.list(s.string())),
});

test("the parsed type has optional keys as k?: T and defaulted ones present", () => {
  type Parsed = {
    name: string;
    mode: "batch" | "live";
    tags: Record<string, number>;
    note?: string | null;
    ours?: unknown;
  };
  holds<Same<s.Infer<typeof Model>, Parsed>>();
});

test("what a client may send has optional and defaulted keys as k?: T", () => {
  type Sent = {
    name: string;
    mode?: "batch" | "live";
    tags?: Record<string, number>;
    note?: string | null;
    ours?: string[];
  };
  holds<Same<s.Input<typeof Model>, Sent>>();
});

test("a choice is the union of its schemas, a list of models the array of their types", () => {
  const Choice = s.choice("Choice", () => 0, s.string(), s.list(s.model("A", { a: s.boolean() })));
  holds<Same<s.Infer<typeof Choice>, string | { a: boolean }[]>>();
});

test("a model with additional properties has them in its type", () => {
  const Open = s.model("Open", { id: s.string() }, { additional: true });
  holds<Same<s.Infer<typeof Open>["id"], string>>();
  holds<Same<s.Infer<typeof Open>["further"], unknown>>();
});
