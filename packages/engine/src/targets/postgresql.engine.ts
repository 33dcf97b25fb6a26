import { suite, test } from "node:test";
import { freshSchema } from "../sources/postgresql/testing.ts";
import { killAtEveryStep } from "./testing/killing.ts";
import { Writing } from "./testing/writing.ts";

suite("a PostgreSQL as a target", () => {
  test("killed at every step, it ends in the same state", async (t) => {
    const endings: (() => Promise<void>)[] = [];
    const writing = await Writing.start(endings);
    const schema = await freshSchema();
    t.after(async () => {
      await schema.drop();
      for (const end of endings) await end();
    });
    await killAtEveryStep(writing, schema.connection);
  });
});
