import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const packages = join(import.meta.dirname, "../..");
const sources = globSync("{server,engine,cli}/src/**/*.ts", { cwd: packages })
  .filter(
    (path) => !/\/testing\/|\/conformance|\.(test|engine|databricks|spark)\.ts$|\/(test|fake)-/.test(path),
  )
  .sort();

/** They only start a thread or a process: its state is theirs. */
const programs = [
  "engine/src/process/child.ts: warehouses, ownPorts, activeRequests",
  "engine/src/process/parent-watch.ts: pipe",
  "server/src/core/files/checksum-thread.ts: sums",
  "server/src/resources/codegen/thread.ts: resolveLookup",
  "server/src/server-process.ts: stops, system",
];

/** What a pure function made of a value that never changes, until nobody has that value any more. */
const remembered = [
  "cli/src/project/checks/schema-check.ts: jsonSchemas",
  "server/src/core/store/collection.ts: sizes, texts",
  "server/src/resources/plans/lineage.ts: known",
];

/** Written and read within one call that waits for nothing: buffers, and where a regular expression begins. */
const scratch = [
  "cli/src/project/read/plain-yaml.ts: key, word, flowKey",
  "engine/src/connectors/postgresql/numeric-encoding.ts: digits",
  "engine/src/warehouse/queries/hashes/hash-functions.ts: doubles",
  "engine/src/warehouse/queries/raised-error.ts: wrapped",
];

/** Of an object of a library, which can hold nothing of ours. It ends with that object. */
const besideObjects = [
  "engine/src/warehouse/queries/kept-statements.ts: keptOf",
  "server/src/core/store/postgres-pipeline.ts: prepared",
];

/** What a process has once: its open files and descriptors, and the garbage collector. */
const ofProcess = [
  "engine/src/connectors/files/read/pinned-files.ts: pinned",
  "engine/src/warehouse/file-mutex.ts: pending",
  "engine/src/warehouse/garbage-collection.ts: collect",
];

/** State that belongs to an object that is built. This list gets no longer. */
const misplaced = [
  "engine/src/connectors/rest/json-client.ts: states",
  "engine/src/pipelines/plan.ts: plans",
  "engine/src/transfer/cluster/one-at-a-time.ts: busy",
  "server/src/core/yaml/parser.ts: parseInThread",
];

test("a new file has no state at module level: an object that is built holds it", () => {
  const found = sources.flatMap((path) => {
    const names = stateIn(readFileSync(join(packages, path), "utf8"));
    return names.length > 0 ? [`${path}: ${names.join(", ")}`] : [];
  });
  const allowed = [programs, remembered, scratch, besideObjects, ofProcess, misplaced].flat();
  assert.deepEqual(found, allowed.sort());
});

test("state at module level is found in every form", () => {
  const forms = [
    "let name = 1;",
    "export let name: string | undefined;",
    "const name = new WeakMap<Key, Value>();",
    "const name = new AsyncLocalStorage<true>();",
    "export const name: Map<string, () => void> =\n  new Map();",
    "const name = createKeyedMutex();",
    "const name: string[] = [];",
    "const name = new Set(first);\nconst use = () => name.add(1);",
    "const name = { count: 0 };\nfunction use() {\n  name.count += 1;\n}",
  ];
  for (const form of forms) assert.deepEqual(stateIn(form), ["name"], form);
  const constants = [
    'const name = new Set(["a"]);',
    "const name: ReadonlyMap<string, number> = new Map();",
    "const name = /a/;",
    "function make() {\n  let name = 1;\n  const other = new Map();\n}",
    "// let name = 1;",
  ];
  for (const constant of constants) assert.deepEqual(stateIn(constant), [], constant);
});

/** The names at module level that hold state: they are assigned again or written to, or change when they are used. */
function stateIn(source: string): string[] {
  const code = source.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
  const written = writtenIn(code);
  const constants = [...code.matchAll(constant)].flatMap(([, name = "", type = "", made, creator, empty]) => {
    if (/^readonly/i.test(type)) return [];
    const isObject = /^(Map|Set)</.test(type) || (made !== undefined && !withoutState.test(made));
    return isObject || creator || empty || written.has(name) ? [name] : [];
  });
  return [...namesOf(code, /^(?:export )?(?:let|var) (\w+)/gm), ...constants];
}

/** Its name, its type, and what it is: `new Name(`, `createName(`, or something empty. */
const constant =
  /^(?:export )?const (\w+)(?:: ((?:=>|[^=])+?))? =\s+(?:await )?(?:new (\w+)|(create(?!Hash)\w+)\(|(\[\]|\{\})?)/gm;
/** A Map or a Set has state if something is put into it. */
const withoutState = /^(Map|Set|RegExp|URL|TextEncoder|TextDecoder|Error|AbortController)$/;

/** The names of objects that are changed, without those that are names of something else within a function. */
function writtenIn(code: string): Set<string> {
  const called = namesOf(
    code,
    /(?<![.\w])(\w+)(?:\.\w+)*\.(?:push|pop|shift|unshift|splice|sort|fill|set|add|delete|clear|getOrInsert|getOrInsertComputed)\(/g,
  );
  const assigned = namesOf(code, /(?<![.\w])(\w+)(?:\.\w+|\[[^\]\n]*\])+(?: [-+*/%&|?]{0,2}= |\+\+|--)/g);
  const local = new Set(namesOf(code, /^ +(?:const|let) (\w+)/gm));
  return new Set([...called, ...assigned].filter((name) => !local.has(name)));
}

const namesOf = (code: string, pattern: RegExp): string[] =>
  [...code.matchAll(pattern)].map(([, name = ""]) => name);
