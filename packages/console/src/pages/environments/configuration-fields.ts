import type { Shape } from "../../ui/value-shape.ts";

export interface ConfigurationField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder?: string;
  /** Absent: a text. */
  readonly shape?: Shape;
  /** Takes a reference to a secret. */
  readonly isSecret?: boolean;
}

const names: readonly ConfigurationField[] = [
  { name: "catalog", label: "Catalog", hint: "Completes names of tables. Empty: main.", placeholder: "main" },
  {
    name: "schema",
    label: "Schema",
    hint: "Completes names of tables. Empty: default.",
    placeholder: "default",
  },
  {
    name: "timezone",
    label: "Time zone",
    hint: "Of the schedules of connectors. Empty: UTC.",
    placeholder: "Europe/Berlin",
  },
];

const token: ConfigurationField = {
  name: "token",
  label: "Token",
  hint: "A reference to a secret, such as {{secrets/lakehelm/token}}.",
  placeholder: "{{secrets/lakehelm/token}}",
  isSecret: true,
};

/** What the configuration of an environment has on each platform. */
export const configurationFields: Readonly<Record<string, readonly ConfigurationField[]>> = {
  embedded: names,
  databricks: [
    {
      name: "host",
      label: "Workspace",
      hint: "Its URL, with https.",
      placeholder: "https://dbc-1234.cloud.databricks.com",
    },
    { name: "warehouse_id", label: "SQL warehouse", hint: "Its id: for queries, descriptions and tags." },
    { ...token, hint: `${token.hint} Or a service principal: the two names of secrets above.` },
    ...names,
    {
      name: "root_path",
      label: "Folder",
      hint: "For generated files. Empty: a folder in /Workspace/Shared/lakehelm.",
    },
    { name: "run_as", label: "Run as", hint: "Application id or user that jobs run as. Empty: the caller." },
    {
      name: "tags",
      label: "Tags",
      hint: "For everything that is created there.",
      shape: { kind: "map", fields: {}, isOpen: true },
    },
  ],
  spark: [
    {
      name: "remote",
      label: "Cluster",
      hint: "Its Spark Connect address.",
      placeholder: "sc://host:15002/;use_ssl=true",
    },
    token,
    ...names,
    {
      name: "catalogs",
      label: "Catalogs",
      hint: "All that the catalog page shows.",
      shape: { kind: "lines" },
    },
    {
      name: "staging",
      label: "Staging folder",
      hint: "Seen by the cluster and by the server under the same path: connectors need it.",
    },
    {
      name: "python",
      label: "Python",
      hint: "For pipelines in Python: one that the operator of the server allows. Empty: the first.",
      placeholder: "/opt/spark-client/bin/python",
    },
  ],
};
