import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Dataset, TransferRequest } from "../protocol/transfer.ts";
import { changedType } from "./schema-change.ts";
import { decideDefinition } from "./source-definition.ts";
import { judgeOutsideChange } from "./written-table.ts";

const given = (more: Partial<Dataset>): Pick<TransferRequest, "connector" | "dataset" | "fromStart"> => ({
  connector: "shop",
  dataset: {
    ...{ id: "1", source: "orders", target: "raw.orders", keys: ["id"], watermark: "at", deletes: false },
    ...{ strategy: "upsert", onLostRows: "fail", ...more },
  } as Dataset,
  fromStart: false,
});

/** If text follows a command on its line, the line cannot be copied as a command. */
function assertCopied(text: string, commands: number): void {
  const lines = text.split("\n").filter((line) => line.includes("lakehelm "));
  assert.equal(lines.length, commands, text);
  for (const line of lines)
    assert.match(line, /: lakehelm [a-z]+ [a-z]+ \S+( --\S+( '[^']*'| [^\s-]\S*)?)*$/, text);
}

suite("each command of a message ends its line", () => {
  const defined = (hidden?: string) => ({
    definition: {},
    compare: () => ({ reason: "it was created again", ...(hidden !== undefined && { hidden }) }),
  });

  for (const strategy of ["upsert", "append"] as const) {
    for (const watermark of ["at", null]) {
      test(`a source that is defined otherwise: ${strategy}, watermark ${watermark}`, () => {
        const request = given({ strategy, watermark });
        const hidden = decideDefinition(request, defined("Grant it again."), {}, "1");
        assertCopied(hidden.sentence, watermark === null ? 1 : 2);
        const changed = decideDefinition(request, defined(), {}, "1");
        assertCopied(changed.sentence, strategy === "append" ? 2 : 0);
      });
    }
  }

  test("rows that others have removed", () => {
    const lost = { lost: "raw.orders has 1 row, and had 2.", changed: undefined };
    assert.throws(
      () => judgeOutsideChange(lost, given({}), () => {}),
      ({ message }: Error) => {
        assertCopied(message, 1);
        return true;
      },
    );
  });

  test("a type that has changed", () => {
    const table = { catalog: "main", schema: "raw", table: "orders" };
    const column = { name: "amount", type: "VARCHAR", origin: "text" };
    assertCopied(changedType(table, column, "BIGINT", "VARCHAR", given({})).message, 2);
    assertCopied(changedType(table, { ...column, name: "id" }, "BIGINT", "VARCHAR", given({})).message, 1);
  });
});
