import { shown } from "@lakehelm/contract/text";
import { quoteIdentifier, sqlString, tableSlug } from "@lakehelm/sql/names";
import type { Artifact, RequiredSecret } from "../../artifact.ts";
import { connectionPrefix, otherConnectionPrefix, otherTarget } from "../../bundle.ts";
import { referencesIn, withoutReferences } from "../../connector/secret-references.ts";
import type { IngestionContext } from "../source-kind.ts";
import type { JdbcKind } from "./jdbc-kinds.ts";

export interface DatabaseLogin {
  readonly host: string;
  readonly port: number;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly options: Readonly<Record<string, string>>;
}

/** The connection's name, without the prefix of the bundle's target. */
export const connectionName = ({ connector }: IngestionContext): string => tableSlug(connector);

/**
 * A file for each target of the bundle that creates the target's Unity Catalog connection, because serverless compute
 * reads databases through one. The job does not run these files, because few users may create connections. The
 * statement reads secrets from their scope, so no file contains their values.
 */
export function connectionFiles(
  kind: JdbcKind,
  login: DatabaseLogin,
  context: IngestionContext,
): { readonly files: readonly Artifact[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const { host, port, user, password, options } = login;
  for (const [key, value] of Object.entries({ user, password })) {
    if (value === undefined)
      problems.push(`connection.config.${key}: it is required for a Unity Catalog connection.`);
  }
  const settings: [string, string][] = [
    ["host", host],
    ["port", String(port)],
    ["user", user ?? ""],
    ["password", password ?? ""],
  ];
  const known = new Map(
    Object.entries(kind.connection.options).map(([key, option]) => [key.toLowerCase(), option]),
  );
  for (const [key, value] of Object.entries(options)) {
    const option = known.get(key.toLowerCase());
    if (option === undefined) {
      problems.push(
        `connection.config.options: ${shown(key)} is an option of the JDBC driver. Serverless compute reads through a Unity Catalog connection, which does not have it. Remove it, or give the job a cluster (cluster_config).`,
      );
    } else settings.push([option, value]);
  }
  for (const option of kind.connection.required ?? []) {
    if (!settings.some(([key]) => key === option)) {
      const [key] = Object.entries(kind.connection.options).find(([, name]) => name === option) ?? [option];
      problems.push(`connection.config.options.${key}: it is required for a Unity Catalog connection.`);
    }
  }
  const values = settings.map(([key, value]) => `  ${key} ${optionValue(key, value, problems)}`);
  const create = (name: string) =>
    `CREATE CONNECTION IF NOT EXISTS ${name} TYPE ${kind.connection.type}\nOPTIONS (\n${values.join(",\n")}\n)`;
  const grant = (name: string, user: string) =>
    `GRANT USE CONNECTION ON CONNECTION ${name}\nTO ${quoteIdentifier(user)}`;
  const secrets = new Map<string, RequiredSecret>(
    settings
      .flatMap(([, value]) => referencesIn(value))
      .map((secret) => [`${secret.scope}/${secret.key}`, secret]),
  );
  const fileOf = (path: string, about: readonly string[], statements: readonly string[]): Artifact => ({
    path: `${context.folder}/${path}`,
    content: `${[...about.map((line) => `-- ${line}`), ...statements.map((one) => `${one};`)].join("\n")}\n`,
    fileType: "sql",
    about: "Creates the Unity Catalog connection. Run it once, before the job.",
    statements,
    ...(secrets.size > 0 && { secrets: [...secrets.values()] }),
  });
  const { runAs } = context;
  const own = `${connectionPrefix(context)}_${connectionName(context)}`;
  const others = `${otherConnectionPrefix(context)}_${connectionName(context)}`;
  const other = otherTarget(context);
  const target = other === "dev" ? "prod" : "dev";
  const files = [
    fileOf(`connection.${target}.sql`, runOnce, [create(own), ...(runAs ? [grant(own, runAs)] : [])]),
    fileOf(
      `connection.${other}.sql`,
      [
        `Only for the bundle's target ${other}, which reads through a connection of its own.`,
        "Enter another server and other secrets here, unless it may read from the same database. Afterwards, grant",
        "USE CONNECTION to whoever runs its jobs.",
        ...runOnce,
      ],
      [create(others)],
    ),
  ];
  return { files: target === "prod" ? files : files.reverse(), problems };
}

const runOnce = [
  "Run this once, before the job. You need CREATE CONNECTION on the metastore, and access to the secrets.",
  "IF NOT EXISTS keeps a connection that is there: after a change, drop it first, or use ALTER CONNECTION.",
];

/**
 * Makes an option's value in the statement. The statement reads a secret from its scope, because a literal must not
 * contain it.
 */
function optionValue(key: string, value: string, problems: string[]): string {
  const [secret, more] = referencesIn(value);
  if (secret && !more && withoutReferences(value) === "")
    return `secret(${sqlString(secret.scope)}, ${sqlString(secret.key)})`;
  if (secret) problems.push(`connection.config.${key}: a reference to a secret must be the whole value.`);
  return sqlString(value);
}
