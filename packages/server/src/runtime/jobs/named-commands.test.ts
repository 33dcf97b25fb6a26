import assert from "node:assert/strict";
import { test } from "node:test";
import { withNamedCommands } from "./named-commands.ts";

const subject = { id: "01a1", name: "orders in", environment: "prod" };

test("commands of a run have the name of its resource and its environment", () => {
  const shown = (text: string, more: Partial<typeof subject> = {}) =>
    withNamedCommands(text, { ...subject, ...more });
  assert.equal(
    shown("To load them: lakehelm connectors run 01a1 --set parameters.full_refresh=true"),
    "To load them: lakehelm connectors run --env prod 'orders in' --set parameters.full_refresh=true",
  );
  assert.equal(
    shown("lakehelm tables alter a.b.c --set-type x=STRING --yes\nlakehelm flows run daily", {
      environment: "my env",
    }),
    "lakehelm tables alter --env 'my env' a.b.c --set-type x=STRING --yes\nlakehelm flows run --env 'my env' daily",
  );
  const known = "lakehelm flows run daily --env prod --set parameters.full_refresh=true";
  assert.equal(shown(known), known);
  assert.equal(
    shown("lakehelm connectors run 01a1", { name: "-x" }),
    "lakehelm connectors run --env prod 01a1",
  );
  assert.equal(shown("nothing to do with 01a1"), "nothing to do with 01a1");
});
