import * as s from "../schema/index.ts";

export const ProcessLine = s.model("ProcessLine", {
  n: s
    .integer()
    .describe("Where it ends in the log, in bytes since its beginning: the `after` of what follows."),
  line: s.string().describe("As the process wrote it; lines that begin with `---` are Lakehelm's."),
});
export type ProcessLine = s.Infer<typeof ProcessLine>;

/** What the endpoint of an agent, or an app, has written. */
export const ProcessLog = s.model("ProcessLog", {
  lines: s.list(ProcessLine),
  next_after: s.integer().describe("The `after` of the next page."),
});

export const logNote =
  "Standard output and error, over all starts: the last 5 to 10 MB are kept. Without `after` the last lines. With `Accept: text/event-stream` it sends those, or what is behind `after` (or `Last-Event-ID`), as events `line`, and then the lines that come, until the reader leaves.";

export const logQuery = {
  after: s.integer({ ge: 0 }).optional().describe("Only lines behind this place; absent: the last ones."),
  limit: s.integer({ ge: 1, le: 10_000 }).default(200),
};

export const logHeaders = {
  "Last-Event-ID": "Where a follower goes on: the id of the last line it has seen.",
} as const;

export const logExample = {
  lines: [
    { n: 54, line: "--- 2026-03-01T12:00:00.000Z starting with port 40001" },
    { n: 83, line: "listening on 127.0.0.1:40001" },
  ],
  next_after: 83,
};
