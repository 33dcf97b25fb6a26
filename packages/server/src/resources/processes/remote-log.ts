import type { ProcessLine } from "@lakehelm/contract";
import type { ProcessLog } from "../../runtime/processes/log-file.ts";

/** A reader that follows a log asks several times a second; a remote platform is asked only this often. */
const keptMs = 5_000;

/** The lines of a log on a remote platform. Positions refer to the text it returns, which may be only the log's end. */
export function remoteLog(
  lines: () => Promise<readonly string[]>,
  now: () => number = performance.now.bind(performance),
): Pick<ProcessLog, "read"> {
  let known: { readonly until: number; readonly lines: readonly ProcessLine[] } | undefined;
  return {
    async read(after, limit) {
      if (!known || now() >= known.until) known = { lines: positioned(await lines()), until: now() + keptMs };
      const found =
        after === undefined
          ? known.lines.slice(-limit)
          : known.lines.filter(({ n }) => n > after).slice(0, limit);
      return { lines: found, nextAfter: found.at(-1)?.n ?? after ?? 0 };
    },
  };
}

function positioned(lines: readonly string[]): ProcessLine[] {
  let n = 0;
  return lines.map((line) => {
    n += Buffer.byteLength(line) + 1;
    return { n, line };
  });
}
