import { suggestion } from "@lakehelm/contract/text";
import type { DataProblem } from "../../protocol/problem.ts";
import { shownType } from "../../protocol/types.ts";
import { duckdbMessage } from "../duckdb-message.ts";
import { nameForCaller } from "./spark-functions.ts";
import { findName, problemAt } from "./sql-text.ts";

/** What is needed to say what is wrong with a query. */
export interface FailedQuery {
  readonly sql: string;
  /** The columns of the tables in it. */
  readonly columns: readonly string[];
  readonly memoryMb: number;
}

/** Of these the caller is the cause. Of others, such as a file that cannot be read, we are. */
const callers =
  /^(?:Binder|Catalog|Parser|Conversion|Invalid Input|Invalid Type|Out of Range|Not implemented|Mismatch Type|Constraint|Syntax) Error: /;

/** What DuckDB says about a query in words for its author; undefined where the query is not the cause. */
export function queryProblem(
  error: unknown,
  { sql, columns, memoryMb }: FailedQuery,
): DataProblem | undefined {
  const message = error instanceof Error ? error.message : "";
  if (/^Out of Memory Error/.test(message))
    return problemAt(
      sql,
      undefined,
      `the query needs more than the ${memoryMb} MB of memory that it may use.`,
    );
  if (!callers.test(message)) return undefined;
  for (const { pattern, say } of messageRules) {
    const [, name = "", more = ""] = pattern.exec(message) ?? [];
    if (name === "") continue;
    const { at, sentence } = say({ name, more, sql, columns });
    return problemAt(sql, at, sentence);
  }
  return problemAt(
    sql,
    atCaret(message, sql),
    `${duckdbMessage(error)}${/[.!?]$/.test(duckdbMessage(error)) ? "" : "."}`,
  );
}

interface MatchedMessage {
  readonly name: string;
  readonly more: string;
  readonly sql: string;
  readonly columns: readonly string[];
}

const messageRules: readonly {
  readonly pattern: RegExp;
  readonly say: (said: MatchedMessage) => { readonly at: number | undefined; readonly sentence: string };
}[] = [
  {
    pattern: /^Binder Error: Referenced column "(.+?)" (?:not found|was not found)/,
    say: ({ name, sql, columns }) => ({
      at: findName(sql, [name]),
      sentence: `there is no column ${JSON.stringify(name)}.${suggestion(name, columns)}`,
    }),
  },
  {
    pattern: /^Binder Error: Table "(.+?)" does not have a column named "(.+?)"/,
    say: ({ name, more, sql, columns }) => ({
      at: findName(sql, [name, more]),
      sentence: `${name} has no column ${JSON.stringify(more)}.${suggestion(more, columns)}`,
    }),
  },
  {
    pattern: /^Binder Error: Referenced table "(.+?)" not found/,
    say: ({ name, sql }) => ({
      at: findName(sql, [name]),
      sentence: `there is no table or alias ${JSON.stringify(name)} in FROM.`,
    }),
  },
  {
    pattern: /^Binder Error: Ambiguous reference to column name "(.+?)" \(use: (.+?)\)/,
    say: ({ name, more, sql }) => ({
      at: findName(sql, [name]),
      sentence: `more than one table has a column ${JSON.stringify(name)}: write ${more}.`,
    }),
  },
  {
    // So a cast to a whole number is written (see ansi-macros.ts).
    pattern: /^Binder Error: No function matches the given name and argument types 'trunc\((.+)\)'/,
    say: ({ name }) => ({
      at: undefined,
      sentence: `a value of the type ${shownType(name)} cannot be cast to a whole number.`,
    }),
  },
  {
    pattern: /^Catalog Error: \w+ Function with name "?(\S+?)"? does not exist!(?:\nDid you mean "(\w+)")?/,
    say: ({ name, more, sql }) => ({
      at: findName(sql, [nameForCaller(name)], true),
      sentence: `there is no function ${nameForCaller(name)}().${more === "" ? "" : ` Did you mean ${nameForCaller(more)}?`}`,
    }),
  },
];

/** DuckDB points to a word of the text that it ran; it is the caller's where that word stands there once. */
function atCaret(message: string, sql: string): number | undefined {
  const [, prefix = "", line = "", indent = ""] = /\n(LINE \d+: )(.*)\n( *)\^/.exec(message) ?? [];
  const [word] = /^\w+/.exec(line.slice(indent.length - prefix.length)) ?? [];
  if (word === undefined) return undefined;
  const first = findName(sql, [word]);
  return first !== undefined && findName(sql.slice(first + word.length), [word]) === undefined
    ? first
    : undefined;
}
