import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { templates } from "@lakehelm/codegen";
import { connectorConsequences } from "@lakehelm/contract/changes";
import { forms, type KindForms } from "@lakehelm/contract/connection-forms";
import {
  addKind,
  type ConnectionKind,
  connectionHosts,
  connectionKind,
  connectionKinds,
  connectorProblems,
  credential,
  credentialFieldNames,
  credentialsIn,
  field,
  hostEntry,
  isCredential,
  kindsFor,
} from "@lakehelm/contract/connections";
import { generatedOnlyProblem } from "@lakehelm/engine";
import { InvalidRequest } from "../../core/errors.ts";
import { targetsOf } from "../../runtime/platforms/capabilities.ts";
import { lineageOf } from "./connector-lineage.ts";
import { concurrencyOf } from "./policy.ts";
import { readParameters } from "./run-parameters.ts";

/** A kind that exists only in this test. */
const lakebase: ConnectionKind = {
  name: "lakebase",
  aliases: ["lakebase-serverless"],
  title: "Lakebase",
  fields: { host: field.text(), branch: field.text(), passphrase: credential(field.text()) },
  defaultPort: 7007,
  address: ({ host }) => [`${host}:7007`],
  lineage: ({ host }, table) => ({ namespace: `lakebase://${host}`, name: table }),
  source: { fields: { depth: field.integer(1, 9) }, byGeneratedCode: true, hasLog: true },
  target: { byEngine: true, holds: "tables", isConcurrent: true, hasUniqueIndexes: true },
};
const config = { host: "db.example.test", branch: "main", passphrase: "hush-hush" };

suite("a kind of connection that is declared once", () => {
  const withKind = (name: string, work: () => void) =>
    test(name, (t) => {
      t.after(addKind(lakebase));
      work();
    });

  withKind("is checked by its fields, and suggested for a name like it", () => {
    const problems = (target_type: string, target_config: object) =>
      connectorProblems({ target_type, target_config }).map(({ message }) => message);
    assert.deepEqual(problems("lakebase", config), []);
    assert.match(problems("lakebase", { ...config, branch: 1 }).join(), /target_config.branch: it must be/);
    assert.match(problems("lakebas", config).join(), /Did you mean lakebase\?/);
    const connection = { type: "Lakebase-Serverless", config: { ...config, depth: 10 } };
    assert.match(problems("warehouse", { connection }).join(), /config\.depth: it must be an integer/);
  });

  withKind("has its credentials masked, and sent to its own host alone", () => {
    assert.ok(isCredential("lakebase", ["passphrase"]));
    assert.ok(!isCredential("lakebase", ["branch"]));
    assert.deepEqual(credentialsIn("lakebase", config), ["hush-hush"]);
    assert.deepEqual(credentialFieldNames("lakebase", config), ["passphrase"]);
    assert.deepEqual(connectionHosts("lakebase", config, ["passphrase"]), ["db.example.test:7007"]);
    assert.equal(hostEntry("db.example.test:7007"), "db.example.test");
  });

  withKind("is a target of the platforms that write to it", () => {
    assert.ok(targetsOf("byEngine").includes("lakebase"));
    assert.ok(targetsOf("byEngine").includes("lakebase-serverless"));
    assert.ok(!targetsOf("byGeneratedCode").includes("lakebase"));
    assert.match(generatedOnlyProblem("lakebase") ?? "", /does not read Lakebase/);
  });

  withKind("has the modes that it declares", () => {
    const connector = { name: "c", target_type: "lakebase", target_config: {}, datasets: [] };
    assert.equal(concurrencyOf({ ...connector, policy: { concurrency: 4 } }), 4);
    assert.equal(readParameters(connector, { full_refresh: true }).isFullRefresh, true);
    const window = { from: "1", to: "2" };
    assert.deepEqual(readParameters(connector, { window }).window, window);
    const dataset = (primary_keys: string[]) => ({
      name: "c",
      target_type: "lakebase",
      target_config: config,
      datasets: [
        {
          source_dataset: "orders",
          target_name: "orders",
          primary_keys,
          write_strategy: "upsert" as const,
          custom_config: null,
        },
      ],
    });
    const said = connectorConsequences(dataset(["id"]), dataset(["code"]), { fullName: (table) => table });
    assert.match(said.map(({ sentence }) => sentence).join(), /has no unique index/);
  });

  withKind("names its datasets for lineage", () => {
    const { outputs } = lineageOf({
      scope: { catalog: "main", schema: "default" },
      direction: "out",
      connection: { name: "c", type: "lakebase", config },
      datasets: [{ source: "orders", target: "crm.orders" }],
    } as never);
    assert.deepEqual(outputs, [{ namespace: "lakebase://db.example.test", name: "crm.orders" }]);
  });

  test("is unknown before and after", () => {
    assert.equal(connectionKind("lakebase"), undefined);
  });
});

test("no kind is known by a name of another", () => {
  const names = connectionKinds.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.ok(connectionKind(name.toUpperCase()), name);
});

test("what was sent as requests is not taken back", () => {
  for (const { name: target_type } of kindsFor("target", "byEngine")) {
    const connector = { name: "c", target_type, target_config: {}, datasets: [] };
    const refresh = () => readParameters(connector, { full_refresh: true });
    if (connectionKind(target_type)?.target?.holds === "requests") assert.throws(refresh, InvalidRequest);
    else assert.ok(refresh().isFullRefresh);
  }
});

test("every kind that a connector can have has a form, a page and, if code is generated for it, a template", () => {
  const pages = readFileSync(new URL("../../../../../docs/reference/connectors.md", import.meta.url), "utf8");
  for (const { name, source, target } of connectionKinds) {
    const form: KindForms = forms[name] ?? {};
    assert.equal(form.source !== undefined, source?.byEngine === true, `${name}: form of a source`);
    assert.equal(form.target !== undefined, target?.byEngine === true, `${name}: form of a target`);
    if (source?.byEngine || target?.byEngine) assert.ok(pages.includes(`\`${name}\``), name);
    const has = (template: string) => templates.some((one) => one.name === template);
    assert.equal(has(`ingestion-${name}`), source?.byGeneratedCode === true, `${name}: ingestion`);
    assert.equal(has(`reverse-etl-${name}`), target?.byGeneratedCode === true, `${name}: reverse ETL`);
  }
});
