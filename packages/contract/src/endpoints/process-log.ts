import * as s from "../schema/index.ts";

export const ProcessLine = s.model("ProcessLine", {
  n: s
    .integer()
    .describe("Byte offset of the end of the line in the log: the `after` that reads what follows."),
  line: s
    .string()
    .describe("The line as the process wrote it. Lines that begin with `---` come from Lakehelm."),
});
export type ProcessLine = s.Infer<typeof ProcessLine>;

/** The log of an agent's endpoint or of an app. */
export const ProcessLog = s.model("ProcessLog", {
  lines: s.list(ProcessLine).describe("The lines, oldest first."),
  next_after: s.integer().describe("`after` of the next page."),
});

export const logNote =
  "Standard output and standard error of all starts; the last 5 to 10 MB are kept. Returns the last lines, or the lines after `after`. With `Accept: text/event-stream` it sends these lines, or those after `Last-Event-ID`, as `line` events, then new lines until the client disconnects.";

export const logQuery = {
  // Larger than any log.
  after: s
    .integer({ ge: 0, cap: 2 ** 52 })
    .optional()
    .describe("Only lines after this byte offset. Default: the last lines."),
  limit: s.integer({ ge: 1, le: 10_000 }).default(200).describe("Maximum number of lines to return."),
};

export const logHeaders = {
  "Last-Event-ID": "The id of the last line that you received: the stream resumes after it.",
} as const;

export const logExample = {
  lines: [
    { n: 54, line: "--- 2026-03-01T12:00:00.000Z starting with port 40001" },
    { n: 83, line: "listening on 127.0.0.1:40001" },
  ],
  next_after: 83,
};
