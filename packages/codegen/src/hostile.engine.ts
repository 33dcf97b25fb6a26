import { loadSqlParser } from "@lakehelm/sql";
import { testLinear } from "@lakehelm/testing/linear";
import type { Artifact } from "./artifact.ts";
import { cronProblem } from "./automations/bundle.ts";
import { parameterizedQuery } from "./automations/parameterized-query.ts";
import { placeholdersIn, replacePlaceholders } from "./automations/references.ts";
import { pythonConfig, referencesIn } from "./connector/secret-references.ts";
import { withholdSecrets } from "./connector/secret-values.ts";
import { contentHash } from "./content-hash.ts";
import { pathProblem } from "./evidence/paths.ts";
import { proveArtifacts } from "./evidence/proof.ts";
import { generateIngestion } from "./ingestion/ingestion-generator.ts";
import { notebook } from "./notebook.ts";
import { postgresql } from "./reverse-etl/databases/dialects/postgresql.ts";
import { readTargetName } from "./reverse-etl/databases/target-name.ts";
import { development } from "./testing/contexts.ts";
import { pythonBlock, pythonString, pythonText } from "./text/python.ts";
import { yamlText } from "./text/yaml.ts";

const parser = await loadSqlParser();

const proven = (file: Pick<Artifact, "path" | "content" | "fileType">, withheld: string[] = []) =>
  proveArtifacts([{ ...file, about: "A file." }], parser, withheld);
const provenNotebook = (code: string, withheld: string[] = []) => {
  const content = notebook(["About."], [{ title: "One", code }]);
  return proven({ path: "src/a.py", content, fileType: "python" }, withheld);
};
const withheldFrom = (config: Record<string, unknown>) =>
  withholdSecrets(config, "shop", development, "config");

const ingestion = (config: Record<string, unknown>, table: Record<string, unknown> = {}) =>
  generateIngestion(
    {
      ...{ name: "shop", execution_mode: "manual", connection_ref: "shop", encode_artifacts: false },
      connection: { name: "shop", type: "rest", config: { url: "https://api.example.test", ...config } },
      table_configs: [
        { source_dataset: "orders", target_name: "orders", pii_suppressed: false, ...table } as never,
      ],
    },
    development,
  );
const lines = (text: string) => (text.match(/.{1,40}/gs) ?? []).map((line, at) => `${line} in line ${at}`);

/** Every parser and writer of this package that gets text from a caller. */
testLinear({
  pythonString,
  pythonText,
  pythonBlock,
  yamlText: (text) => yamlText([], { key: text, [text]: "value" }),
  referencesIn,
  pythonConfig: (text) => pythonConfig({ key: text, [text]: "value" }),
  placeholdersIn,
  replacePlaceholders: (text) => replacePlaceholders(text, () => "x"),
  parameterizedQuery,
  cronProblem,
  readTargetName: (text) => readTargetName(text, postgresql, "public"),
  "readTargetName of a quoted name": (text) => readTargetName(`"${text}"."${text}"`, postgresql, "public"),
  pathProblem,
  contentHash: (text) => contentHash([{ path: "a", content: text }]),
  "withholdSecrets of a value": (text) => withheldFrom({ value: text }),
  "withholdSecrets of a password": (text) => withheldFrom({ password: text }),
  "withholdSecrets of a URL": (text) => withheldFrom({ url: `https://${text}` }),
  "withholdSecrets of a connection string": (text) => withheldFrom({ value: `password${text}` }),
  "withholdSecrets of a key": (text) => withheldFrom({ headers: { [text]: "value" } }),
  "ingestion with a header": (text) => ingestion({ headers: { accept: text } }),
  "ingestion of a dataset": (text) => ingestion({}, { source_dataset: text }),
  "ingestion to a table": (text) => ingestion({}, { target_name: text }),
});

/** The checks of files with such text. They take seconds per megabyte, so they get fewer units. */
testLinear(
  {
    "the check of a notebook with a query": (text) => provenNotebook(`spark.sql(${pythonText(text)})`),
    "the check of YAML": (text) =>
      proven({ path: "resources/a.yml", content: yamlText([], { text }), fileType: "yaml" }),
    "the check of SQL": (text) => proven({ path: "a.sql", content: text, fileType: "sql" }),
    "the check of JSON": (text) =>
      proven({ path: "a.json", content: JSON.stringify({ text }), fileType: "json" }),
    "the search for a secret": (text) => provenNotebook(`print(${pythonString(text)})`, [`a secret ${text}`]),
    "the search for a secret of many lines": (text) =>
      provenNotebook(`print(${pythonString(text)})`, [lines(text).join("\n")]),
  },
  ["\n", "'", "\\", "{{a}}"],
);
