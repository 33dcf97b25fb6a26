import assert from "node:assert/strict";
import { test } from "node:test";
import { type Endpoint, endpoints } from "@lakehelm/contract";
import type { JsonSchema, ValidationError } from "@lakehelm/contract/schema";
import { CliCommand } from "../command.ts";
import { buildProgram } from "../program.ts";
import { fakeIo, lakehelm } from "../testing/terminal.ts";
import { groups, handWritten } from "./index.ts";
import type { OperationCommand, OperationName } from "./spec.ts";

const specs = Object.entries(groups).flatMap(([group, { commands }]) =>
  Object.entries(commands).map(([verb, spec]): [string, OperationCommand] => [`${group} ${verb}`, spec]),
);
const program = await buildProgram(fakeIo().io, { words: "all", help: true });
const leaves = (command: CliCommand): CliCommand[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap((one) => leaves(one as CliCommand));
for (const command of leaves(program)) command.exitOverride().configureOutput({ writeErr: () => {} });
const lineOf = (command: CliCommand): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();

test("every operation of the contract has a command", () => {
  const covered = new Set([...specs.map(([, { operation }]) => operation), ...Object.keys(handWritten)]);
  const missing = Object.keys(endpoints).filter((name) => !covered.has(name as OperationName));
  assert.deepEqual(missing, [], "add them to packages/cli/src/table");
  const lines = new Set(leaves(program).map(lineOf));
  for (const command of Object.values(handWritten)) assert.ok(lines.has(command), command);
});

test("every command has examples, and each of them is a call of that command", () => {
  for (const command of leaves(program)) {
    const line = lineOf(command);
    assert.ok(command.examples.length > 0, `${line} has no example`);
    for (const example of command.examples) {
      const words = wordsOf(example);
      const name = line.split(" ");
      const isShort =
        command.parent instanceof CliCommand && command.parent.usual === name[1] && words[1] !== name[1];
      const rest = words.slice(isShort ? 1 : name.length);
      if (!isShort) assert.deepEqual(words.slice(0, name.length), name, example);
      const { unknown: notGlobal, operands: globalOperands } = program.parseOptions([...rest]);
      const { operands, unknown } = command.parseOptions([...globalOperands, ...notGlobal]);
      assert.deepEqual(unknown, [], `${example}: unknown option`);
      const required = command.registeredArguments.filter((argument) => argument.required).length;
      assert.ok(operands.length >= required, `${example}: an argument is missing`);
      assert.ok(operands.length <= command.registeredArguments.length, `${example}: too many arguments`);
    }
  }
});

test("every request that the help shows is one that the operation accepts", () => {
  for (const [line, { operation, requests = {} }] of specs) {
    const endpoint: Endpoint = endpoints[operation];
    for (const [title, request] of Object.entries(requests)) {
      assert.ok(typeof endpoint.body === "object", line);
      const errors: ValidationError[] = [];
      endpoint.body.check({ created_by: "ada", ...(request as object) }, ["body"], errors);
      assert.deepEqual(errors, [], `${line}: ${title}`);
    }
  }
});

/** Splits an example into words, as a shell would, as far as the examples need it. */
function wordsOf(example: string): string[] {
  const [line = ""] = example.split(/ [<>] /);
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

test("no flag of a command hides an option that every command has", () => {
  const global = new Set(program.options.map(({ long }) => long));
  for (const command of leaves(program)) {
    const names = command.options.map(({ long }) => long);
    assert.deepEqual(
      names.filter((name) => global.has(name ?? "")),
      [],
      lineOf(command),
    );
    assert.equal(new Set(names).size, names.length, `${lineOf(command)} has a flag twice`);
  }
});

test("the columns of every table are fields of the answer", () => {
  for (const [line, { operation, columns = [], rows }] of specs) {
    const refs = new Map<string, JsonSchema>();
    const resolve = (schema: JsonSchema | undefined): JsonSchema => {
      if (typeof schema?.$ref === "string") return refs.get(schema.$ref.split("/").at(-1) ?? "") ?? {};
      const [first] = (schema?.anyOf ?? []) as JsonSchema[];
      return first ? resolve(first) : (schema ?? {});
    };
    const fieldsOf = (schema: JsonSchema) => (resolve(schema).properties ?? {}) as Record<string, JsonSchema>;
    const answer = fieldsOf(endpoints[operation].response.jsonSchema(refs));
    const key = rows ?? Object.keys(answer).find((name) => resolve(answer[name]).type === "array") ?? "";
    for (const column of columns) {
      let schema = resolve(resolve(answer[key]).items as JsonSchema);
      for (const name of column.split(".")) {
        if (schema.type === "object" && !schema.properties) break;
        assert.ok(name in fieldsOf(schema), `${line}: ${column}`);
        schema = resolve(fieldsOf(schema)[name]);
      }
    }
  }
});

test("a misspelled command, option or value is named with what was probably meant: exit code 2", async () => {
  const cases: [string[], RegExp][] = [
    [["conectors", "list"], /unknown command 'conectors' \(Did you mean connectors\?\)/],
    [["connectors", "lst"], /unknown command 'lst' \(Did you mean list\?\)/],
    [["connectors", "run", "x", "--wait"], /unknown option '--wait'\. --watch follows the run to its end/],
    [["runs", "list", "--wait"], /unknown option '--wait'\. To follow a run to its end: lakehelm runs watch/],
    [["connectors", "list", "--stats", "x"], /unknown option '--stats' \(Did you mean --status\?\)/],
    [["connectors", "list", "--status", "x"], /Allowed choices are created, active/],
    [["connectors", "get"], /missing required argument 'connector'/],
    [["connectors", "list", "-o", "csv"], /-o csv is only for "lakehelm query"/],
    [["runs", "list", "--limit", "0"], /integer from 1/],
    [["api", "GET", "http://example.test/"], /path must begin with "\/"/],
    [["completion", "bsh"], /Did you mean bash\?/],
  ];
  for (const [args, expected] of cases) {
    const { code, stdout, stderr } = await lakehelm(args, { env: { LAKEHELM_CONFIG_DIR: "/nonexistent" } });
    assert.match(stderr, expected);
    assert.equal(code, 2, args.join(" "));
    assert.equal(stdout, "");
  }
});

test("help shows arguments, flags, examples and a request", async () => {
  const { code, stdout } = await lakehelm(["connectors", "create", "--help"]);
  assert.equal(code, 0);
  for (const part of [
    "--name <text>",
    "--env <environment>",
    "Examples:",
    "A request, for -f:",
    "target_type: postgresql",
  ]) {
    assert.ok(stdout.includes(part), part);
  }
});

test("help says who approves a protected environment, what a password needs, and only formats that a command has", async () => {
  const help = async (...words: string[]) =>
    (await lakehelm([...words, "--help"])).stdout.replaceAll(/\s+/g, " ");
  assert.match(await help("environments", "create"), /--protected .*another admin .* must approve a plan/);
  assert.match(await help("users", "create"), /--ask-password .*At least 12 characters/);
  assert.match(await help("query"), /One of table, json, yaml, jsonl, csv, arrow, parquet\./);
  for (const words of [["connectors", "list"], ["plan"], ["users"], []])
    assert.match(await help(...words), /One of table, json, yaml, jsonl\. Default: table\./);
  const wrong = await lakehelm(["query", "select 1", "-o", "cvs"]);
  assert.equal(wrong.code, 2);
  assert.match(
    wrong.stderr,
    /Allowed choices are table, json, yaml, jsonl, and of "lakehelm query" also csv/,
  );
  const formats = await lakehelm(["__complete", "query", "-o", "p"]);
  assert.equal(formats.stdout, "parquet\t\n");
});

test("help also shows the fields of a request that have no flag, and knows every level", async () => {
  const { code, stdout } = await lakehelm(["help", "connectors", "create"]);
  assert.equal(code, 0);
  assert.match(stdout, /Fields without a flag[^:]*:\n {2}target_config: Required: /);
});

test("completion knows commands, options and the values of options", async () => {
  const complete = async (...words: string[]) =>
    (await lakehelm(["__complete", ...words])).stdout.split("\n").map((line) => line.split("\t")[0]);
  assert.ok((await complete("conn")).includes("connectors"));
  assert.ok((await complete("connectors", "")).includes("discover"));
  assert.ok((await complete("connectors", "list", "--sta")).includes("--status"));
  assert.ok((await complete("connectors", "list", "--status", "")).includes("failing"));
  assert.deepEqual(await complete("connectors", "list", "-o", "j"), ["json", "jsonl", ""]);
});
