import { suggestion } from "@lakehelm/contract/text";
import type { DataProblem } from "../../protocol/problem.ts";
import { databricksType } from "../../protocol/types.ts";
import { duckdbMessage, errorText } from "../duckdb-message.ts";
import { memoryProblem } from "../memory-problem.ts";
import { nameForCaller } from "./spark-functions.ts";
import { findName, problemAt } from "./sql-text.ts";

/** A query that failed, with what its error message needs. */
export interface FailedQuery {
  readonly sql: string;
  /** The columns of its tables. */
  readonly columns: readonly string[];
  readonly memoryMb: number;
}

/** Errors that the caller causes. Other errors, such as a file that cannot be read, are faults of the engine. */
const callerErrors =
  /^(?:Binder|Catalog|Parser|Conversion|Invalid Input|Invalid Type|Out of Range|Not implemented|Mismatch Type|Constraint|Syntax) Error: /;

/** DuckDB's error as a message for the author of the query; undefined if the query is not the cause. */
export function queryProblem(
  error: unknown,
  { sql, columns, memoryMb }: FailedQuery,
): DataProblem | undefined {
  const message = errorText(error);
  const memory = memoryProblem(error, "the query", memoryMb);
  if (memory !== undefined) return problemAt(sql, undefined, memory);
  if (!callerErrors.test(message)) return undefined;
  for (const { pattern, explain } of messageRules) {
    const [, name = "", more = ""] = pattern.exec(message) ?? [];
    if (name === "") continue;
    const { at, sentence } = explain({ name, more, sql, columns });
    return problemAt(sql, at, sentence);
  }
  return problemAt(
    sql,
    caretOffset(message, sql),
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
  readonly explain: (match: MatchedMessage) => { readonly at: number | undefined; readonly sentence: string };
}[] = [
  {
    pattern: /^Binder Error: Referenced column "(.+?)" (?:not found|was not found)/,
    explain: ({ name, sql, columns }) => ({
      at: findName(sql, [name]),
      sentence: `there is no column ${JSON.stringify(name)}.${suggestion(name, columns)}`,
    }),
  },
  {
    pattern: /^Binder Error: Table "(.+?)" does not have a column named "(.+?)"/,
    explain: ({ name, more, sql, columns }) => ({
      at: findName(sql, [name, more]),
      sentence: `${name} has no column ${JSON.stringify(more)}.${suggestion(more, columns)}`,
    }),
  },
  {
    pattern: /^Binder Error: Could not find key "(.+?)" in struct(?:.*?Candidate Entries: (.+))?/s,
    explain: ({ name, more, sql }) => {
      const fields = more.split(", ").map((field) => field.replace(/^"|"$/g, ""));
      return {
        at: findName(sql, [name]),
        sentence: `the struct has no field ${name}.${suggestion(name, fields)}`,
      };
    },
  },
  {
    pattern: /^Binder Error: Referenced table "(.+?)" not found/,
    explain: ({ name, sql }) => ({
      at: findName(sql, [name]),
      sentence: `there is no table or alias ${JSON.stringify(name)} in FROM.`,
    }),
  },
  {
    pattern: /^Binder Error: Ambiguous reference to column name "(.+?)" \(use: (.+?)\)/,
    explain: ({ name, more, sql }) => ({
      at: findName(sql, [name]),
      sentence: `more than one table has a column ${JSON.stringify(name)}: write ${more}.`,
    }),
  },
  {
    // A cast to an integer is translated to trunc() (see ansi-macros.ts).
    pattern: /^Binder Error: No function matches the given name and argument types 'trunc\((.+)\)'/,
    explain: ({ name }) => ({
      at: undefined,
      sentence: `a value of the type ${databricksType(name)} cannot be cast to an integer.`,
    }),
  },
  {
    pattern:
      /^Binder Error: No function matches the given name and argument types '([-+*/%]|\/\/)\((?:VARCHAR|STRING_LITERAL)(, (?:VARCHAR|STRING_LITERAL))?\)'/,
    explain: ({ name, more }) => ({
      at: undefined,
      sentence:
        more === ""
          ? `${name} needs a number, not a text. Write a cast, such as ${name}CAST(code AS INT).`
          : `${name} needs numbers, not two texts. Write a cast, such as CAST(code AS INT)${name === "+" ? ", or concat() to join the texts" : ""}.`,
    }),
  },
  {
    pattern: /^Catalog Error: \w+ Function with name "?(\S+?)"? does not exist!(?:\nDid you mean "(\w+)")?/,
    explain: ({ name, more, sql }) => ({
      at: findName(sql, [nameForCaller(name)], true),
      sentence: `there is no function ${nameForCaller(name)}().${more === "" ? "" : ` Did you mean ${nameForCaller(more)}?`}`,
    }),
  },
];

/** DuckDB points to a word of the SQL that it ran. If the caller's text has this word once, that is the position. */
function caretOffset(message: string, sql: string): number | undefined {
  const [, prefix = "", line = "", indent = ""] = /\n(LINE \d+: )(.*)\n( *)\^/.exec(message) ?? [];
  const [word] = /^\w+/.exec(line.slice(indent.length - prefix.length)) ?? [];
  if (word === undefined) return undefined;
  const first = findName(sql, [word]);
  return first !== undefined && findName(sql.slice(first + word.length), [word]) === undefined
    ? first
    : undefined;
}
