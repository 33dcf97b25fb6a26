import type { Shape } from "../../ui/value-shape.ts";

export interface ConfigurationField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder?: string;
  /** Absent: the field is a text. */
  readonly shape?: Shape;
  /** The field takes a reference to a secret. */
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

const storageFields: Readonly<Record<string, Shape>> = {
  region: { kind: "text" },
  endpoint: { kind: "text" },
  path_style: { kind: "text" },
  access_key_id: { kind: "text" },
  secret_access_key: { kind: "text" },
  session_token: { kind: "text" },
};

/** The fields of an environment's configuration, by platform. */
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
      label: "Staging",
      hint: "A folder that the cluster and the server both mount, or a bucket: connectors need it.",
      placeholder: "s3://bucket/prefix",
    },
    {
      name: "staging_options",
      label: "Staging options",
      hint: "For a bucket, as in a connection to S3. The keys are references to secrets.",
      shape: { kind: "map", fields: storageFields, isOpen: false },
    },
    {
      name: "python",
      label: "Python",
      hint: "For pipelines in Python: one that the operator of the server allows. Empty: the first.",
      placeholder: "/opt/spark-client/bin/python",
    },
  ],
};
