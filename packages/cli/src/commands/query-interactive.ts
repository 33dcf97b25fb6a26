import { createInterface } from "node:readline/promises";
import { ApiError } from "@lakehelm/contract/client";
import { counted } from "@lakehelm/contract/text";
import type { Session } from "../connection/session.ts";
import { reportError } from "../errors.ts";
import type { GlobalOptions } from "../globals.ts";
import { note } from "../io.ts";
import { printRows } from "../output/print.ts";
import { ask, printAnswer, type QueryOptions } from "./query-answer.ts";

const help = `Statements end with ";" and may have several lines.
  .tables   lists the tables
  .help     shows this
  .exit     ends; so does Ctrl-D. Ctrl-C drops the statement or cancels the query`;

/** Reads and runs statements until the end of the input. A failed statement does not end the session. */
export async function interactiveQuery(
  session: Session,
  options: QueryOptions,
  globals: GlobalOptions,
): Promise<void> {
  const { io, connection } = session;
  const lines = createInterface({ input: io.stdin, output: io.stdout, terminal: true, historySize: 500 });
  const prompt = `${connection.environment ?? "lakehelm"}> `;
  let statement = "";
  let running: AbortController | undefined;
  let isOpen = true;
  lines.once("close", () => {
    isOpen = false;
  });
  const showPrompt = () => {
    // The input has ended, but statements before its end may still have to run.
    if (!isOpen) return;
    lines.setPrompt(statement === "" ? prompt : `${" ".repeat(prompt.length - 2)}> `);
    lines.prompt();
  };
  lines.on("SIGINT", () => {
    if (running) return running.abort();
    statement = "";
    io.stdout.write("^C\n");
    showPrompt();
  });
  note(io, `Connected to ${connection.url}. Statements end with ";". Type .help for more, .exit to end.`);
  showPrompt();
  for await (const line of lines) {
    const text = line.trim();
    if (statement === "" && (text === ".exit" || text === "exit" || text === "quit")) break;
    statement = statement === "" && text.startsWith(".") ? text : `${statement}${line}\n`;
    const isCommand = statement.startsWith(".");
    if (statement.trim() === "") statement = "";
    else if (isCommand || text.endsWith(";")) {
      const whole = statement;
      statement = "";
      running = new AbortController();
      await execute(whole, running.signal);
      running = undefined;
    }
    showPrompt();
  }
  lines.close();

  async function execute(text: string, signal: AbortSignal): Promise<void> {
    const cancellable: Session = { ...session, io: { ...io, signal } };
    try {
      if (text === ".tables") return await printTables(signal);
      if (text.startsWith(".")) return note(io, help);
      const answer = await ask(cancellable, text, options);
      await printAnswer(io, answer, globals, options.safeCsv);
      if (globals.output === "table")
        note(io, `${counted(answer.rows.length, "row")}, ${answer.seconds.toFixed(3)} s`);
    } catch (error) {
      if (signal.aborted) return note(io, "Cancelled.");
      if (error instanceof ApiError && error.kind === "unauthorized") throw error;
      reportError(io, error);
    }
  }

  async function printTables(signal: AbortSignal): Promise<void> {
    const { tables } = await session.client.readCatalog({ query: { limit: 1000 }, signal });
    await printRows(io, tables, ["catalog", "schema", "name", "kind", "rows"]);
  }
}
