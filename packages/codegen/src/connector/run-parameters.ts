import type { JobParameter } from "../bundle.ts";

/** The tables that one run moves, as a JSON list of their names. */
const datasets: JobParameter = { name: "datasets", default: "[]" };
/** Whether one run reads its tables from the start. */
const resetWatermark: JobParameter = { name: "reset_watermark", default: "false" };

/** Whether one run also deletes rows that the source no longer has. */
const fullRefresh: JobParameter = { name: "full_refresh", default: "false" };
/** The part that one run loads again, as JSON: `{"from": …, "to": …}`. */
const window: JobParameter = { name: "window", default: "null" };

/** Whether one run also sends rows that the target has refused. */
const retryRejects: JobParameter = { name: "retry_rejects", default: "false" };

/**
 * The parameters of one run. An import also declares parameters without an effect on it, such as a full refresh of a
 * table that every run replaces: a job that lacks a parameter was therefore installed by an earlier version.
 */
export const importParameters: readonly JobParameter[] = [datasets, resetWatermark, fullRefresh, window];
export const exportParameters: readonly JobParameter[] = [...importParameters, retryRejects];
/** Requests to an endpoint cannot be compared or taken back, so exports to endpoints have fewer parameters. */
export const endpointParameters: readonly JobParameter[] = [datasets, retryRejects];

/** Python: the tables of this run. Requires `parameter()`, `import json`, and TABLES whose entries have names. */
export const chosenTablesCode = `
# The parameter datasets names the tables of this run. Without names it moves all of them.
NAMES = json.loads(parameter("datasets", "[]"))
unknown = [name for name in NAMES if name not in [table["name"] for table in TABLES]]
if unknown:
    raise ValueError(f"there is no table {', '.join(unknown)}")
CHOSEN = [table for table in TABLES if not NAMES or table["name"] in NAMES]
`.trim();

/** Python: whether this run reads from the start. Requires `parameter()`. */
export const resetCode = `RESET_WATERMARK = parameter("reset_watermark", "false") == "true"`;

/** Python: whether this run makes the targets equal to their sources. Requires `parameter()`. */
export const refreshCode = `FULL_REFRESH = parameter("full_refresh", "false") == "true"`;

/** Python: the window that this run loads again, if any. Requires `parameter()` and `import json`. */
export const windowCode = `WINDOW = json.loads(parameter("window", "null"))`;

/** Python: whether this run also sends rows that were refused before. Requires `parameter()`. */
export const retryCode = `RETRY_REJECTS = parameter("retry_rejects", "false") == "true"`;
