import type { ConsumptionFlow } from "@lakehelm/flows";
import { plainName } from "@lakehelm/sql/names";
import { pythonString } from "../../text/python.ts";

export const summaryCode = ({ target, publishing, strategy, unmatched, recheck }: ConsumptionFlow): string =>
  [
    "print(",
    `    ${pythonString(`${plainName(target)}: `)}`,
    publishing === "replace"
      ? '    f"{outcome}"'
      : '    f"{published.num_inserted_rows} rows inserted, {published.num_updated_rows} updated"',
    ...(strategy === "merge_and_delete" ? ['    f", {published.num_deleted_rows} deleted"'] : []),
    ...(recheck ? ['    f"; {left.num_deleted_rows} were unmatched and match now"'] : []),
    ...(unmatched ? ['    f"; {kept.num_inserted_rows} newly kept as unmatched"'] : []),
    ")",
  ].join("\n");
