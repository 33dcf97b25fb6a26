import type { Environment } from "@lakehelm/contract";
import { connectionHosts, hostIn, isMap } from "@lakehelm/contract/connections";
import type { ConfigurationKeys, DeclaredConfiguration } from "../configuration-keys.ts";

/** The keys of `configuration` that an environment on a cluster has. */
export const clusterKeys = {
  remote: "destination",
  staging: "destination",
  staging_options: "credential",
  token: "credential",
  token_key: "credential",
  catalog: "setting",
  schema: "setting",
  catalogs: "setting",
  python: "setting",
} as const satisfies ConfigurationKeys;

/** The host that a credential of the configuration is sent to; undefined: not known. */
export function clusterCredentialHost(
  { remote, staging, staging_options }: ClusterKeys,
  key: string | undefined,
): string | undefined {
  const server = remoteIn(remote);
  if (key !== "staging_options") return hostIn(server?.host, server?.port);
  return connectionHosts("files", { ...(isMap(staging_options) && staging_options), path: staging }, [])?.[0];
}

export type ClusterKeys = DeclaredConfiguration<typeof clusterKeys>;

/** What an environment says about its Spark cluster. */
export interface ClusterConfiguration {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly catalog: string;
  readonly schema: string;
  /** All catalogs that queries may name, the default one first. */
  readonly catalogs: readonly string[];
  /** A folder or bucket that the cluster and this server both see; null: connectors cannot load rows. */
  readonly staging: string | null;
  /** The Python of this server that runs Python libraries; null: the first one that its operator allows. */
  readonly python: string | null;
}

const defaultPort = 15_002;
const mostCatalogs = 50;

/**
 * Reads `configuration` of an environment; all mistakes are reported together. `allowsPlain`: connections without TLS to other
 * machines are allowed, for development.
 */
export function readConfiguration(
  { name, ...environment }: Pick<Environment, "name" | "configuration">,
  { allowsPlain }: { readonly allowsPlain: boolean },
): { readonly configuration: ClusterConfiguration } | { readonly problems: readonly string[] } {
  const configuration: ClusterKeys = environment.configuration;
  const problems: string[] = [];
  const wrong = (key: keyof ClusterKeys, rest: string) =>
    problems.push(`configuration.${key} of the environment "${name}" ${rest}`);

  function text(key: keyof ClusterKeys, pattern: RegExp, expected: string): string | null {
    const value = configuration[key];
    if (value === undefined || value === null || value === "") return null;
    if (typeof value === "string" && value.length <= 1_000 && pattern.test(value)) return value;
    wrong(key, `must be ${expected}.`);
    return null;
  }

  const remote = remoteIn(configuration.remote);
  if (configuration.remote === undefined || configuration.remote === null || configuration.remote === "") {
    wrong(
      "remote",
      "is missing. Set it to the address of a Spark Connect server, such as sc://spark.example.test:15002.",
    );
  } else if (!remote) {
    wrong(
      "remote",
      "must be the address of a Spark Connect server, such as sc://spark.example.test:15002 or sc://spark.example.test:443/;use_ssl=true.",
    );
  } else if (!remote.tls && !allowsPlain && !isThisMachine(remote.host)) {
    wrong(
      "remote",
      "must use TLS: put a proxy with a certificate in front of the server, and add /;use_ssl=true.",
    );
  }

  const catalog = text("catalog", namePattern, nameExpected) ?? "main";
  const schema = text("schema", namePattern, nameExpected) ?? "default";
  const staging = text(
    "staging",
    /^(?:file:\/\/)?\/[^\s'"`;]*$|^s3a?:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[A-Za-z0-9._=/-]*)?$/,
    "an absolute folder, or a bucket with a prefix such as s3://bucket/staging, that the cluster and this server both see",
  );
  const python = text("python", /^\/[^\s:]+$/, "the absolute path of a Python on this server");
  const catalogs = catalogsIn(configuration.catalogs, catalog);
  if (!catalogs) wrong("catalogs", `must be a list of at most ${mostCatalogs} names.`);
  if (problems.length > 0 || !remote || !catalogs) return { problems };
  return { configuration: { ...remote, catalog, schema, catalogs, staging, python } };
}

/** Hive's metastore accepts nothing else. */
const namePattern = /^[a-z0-9_]{1,100}$/;
const nameExpected = "a name of lower-case letters, digits and underscores";

/** An address as Spark's clients write it. A token in it is not accepted, because it would be shown. */
function remoteIn(value: unknown): Pick<ClusterConfiguration, "host" | "port" | "tls"> | undefined {
  if (typeof value !== "string" || value.length > 1_000) return undefined;
  const match =
    /^sc:\/\/([A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::(\d{1,5}))?(?:\/(?:;use_ssl=(true|false))?)?$/.exec(
      value,
    );
  if (!match?.[1]) return undefined;
  const port = match[2] === undefined ? defaultPort : Number(match[2]);
  return port >= 1 && port <= 65_535 ? { host: match[1], port, tls: match[3] === "true" } : undefined;
}

const isThisMachine = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);

function catalogsIn(value: unknown, catalog: string): readonly string[] | undefined {
  if (value === undefined || value === null) return [catalog];
  if (!Array.isArray(value) || value.length > mostCatalogs) return undefined;
  if (!value.every((name): name is string => typeof name === "string" && namePattern.test(name)))
    return undefined;
  return [...new Set([catalog, ...value])];
}
