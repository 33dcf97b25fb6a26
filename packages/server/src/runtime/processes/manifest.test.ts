import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { readPage } from "../../testing/docs-blocks.ts";
import { readManifest } from "./manifest.ts";

suite("app.yaml", () => {
  test("command as a list, values verbatim, and secrets by reference", async () => {
    const read = await readManifest(
      `command: ["node", "app.mjs"]
env:
  - name: GREETING
    value: "hello: world"
  - { name: RATE, value: 1.0 }
  - name: API_KEY
    valueFrom: crm/api-key
`,
    );
    assert.deepEqual(read, {
      command: ["node", "app.mjs"],
      env: [
        { name: "GREETING", value: "hello: world" },
        { name: "RATE", value: "1.0" },
        { name: "API_KEY", secret: { scope: "crm", key: "api-key" } },
      ],
      healthPath: "/health",
      memoryMb: undefined,
    });
  });

  test("command as a line for the shell; health_path and memory_mb", async () => {
    const read = await readManifest(
      "command: node app.mjs --port $PORT\nhealth_path: /healthz\nmemory_mb: 64\n",
    );
    assert.deepEqual(read, {
      command: ["sh", "-c", "node app.mjs --port $PORT"],
      env: [],
      healthPath: "/healthz",
      memoryMb: 64,
    });
  });

  test("the complete example of docs/reference/agents-and-apps.md", async () => {
    const blocks = await readPage("reference/agents-and-apps.md");
    const shown = blocks.find((block) => block.kind === "file" && block.name === "everything.yaml");
    assert.ok(shown?.kind === "file");
    assert.deepEqual(await readManifest(shown.text), {
      command: ["node", "server.mjs"],
      env: [
        { name: "GREETING", value: "hello" },
        { name: "CRM_KEY", secret: { scope: "crm", key: "api-key" } },
      ],
      healthPath: "/health",
      memoryMb: 512,
    });
  });

  const wrong: readonly [string, string, RegExp][] = [
    ["nothing", "", /must be a map/],
    ["a list", "- command", /must be a map/],
    ["no command", "env: []", /line 1: command is missing/],
    ["an empty command", "command: []", /line 1: command must be a list/],
    ["a null command", "command:\n", /command must be/],
    ["an unknown key", "command: [a]\ncomand: b", /line 2: Unknown key "comand"\. Known keys: command, env/],
    ["the same key twice", "command: [a]\ncommand: [b]", /line 2: Duplicate key "command"/],
    ["no yaml", "command: [a", /line 1/],
    ["env as a map", "command: [a]\nenv:\n  A: b", /line 3: env must be a list/],
    ["a strange key in env", "command: [a]\nenv:\n  - name: A\n    val: b", /line 4: env has no "val"/],
    [
      "a wrong name",
      "command: [a]\nenv:\n  - {name: A-B, value: b}",
      /line 3: "A-B" is not a valid variable name/,
    ],
    [
      "a name of ours",
      "command: [a]\nenv:\n  - {name: LAKEHELM_URL, value: b}",
      /LAKEHELM_URL is set by Lakehelm/,
    ],
    ["no value", "command: [a]\nenv:\n  - name: A", /A needs either value or valueFrom/],
    [
      "two values",
      "command: [a]\nenv:\n  - {name: A, value: b, valueFrom: c/d}",
      /either value or valueFrom/,
    ],
    [
      "a value that is a list",
      "command: [a]\nenv:\n  - {name: A, value: [b]}",
      /line 3: value must be a string/,
    ],
    ["a null value", "command: [a]\nenv:\n  - name: A\n    value:", /line \d: value must be a string/],
    ["env with a text", "command: [a]\nenv: [b]", /line 2: Each item of env must be a map/],
    ["a variable without a name", "command: [a]\nenv:\n  - value: b", /line 3: name is missing/],
    ["a list within command", "command: [a, [b]]", /line 1: command must be a list of strings/],
    ["a fraction of memory", "command: [a]\nmemory_mb: 64.5", /line 2: memory_mb must be a whole number/],
    ["an alias", "command: &c [a]\nenv: *c", /line 1: Anchors and aliases are not supported/],
    ["a secret without a scope", "command: [a]\nenv:\n  - {name: A, valueFrom: key}", /"scope\/key"/],
    ["a health_path that is none", "command: [a]\nhealth_path: health", /line 2: health_path must be a path/],
    ["too little memory", "command: [a]\nmemory_mb: 4", /line 2: memory_mb must be a whole number/],
  ];
  for (const [name, text, problem] of wrong) {
    test(`rejected with its line: ${name}`, () => assert.rejects(readManifest(text), problem));
  }
});
