import type { Environment } from "@lakehelm/contract";
import { hostIn } from "@lakehelm/contract/connections";
import type { ConfigurationKeys, DeclaredConfiguration } from "../configuration-keys.ts";

/** The keys of `configuration` that an environment in a workspace has. */
export const workspaceKeys = {
  host: "destination",
  token: "credential",
  token_key: "credential",
  run_as: "credential",
  warehouse_id: "setting",
  catalog: "setting",
  schema: "setting",
  root_path: "setting",
  volume: "setting",
  tags: "setting",
} as const satisfies ConfigurationKeys;

/** The host that the credentials of the configuration are sent to; undefined: not known. */
export const workspaceCredentialHost = ({ host }: WorkspaceKeys): string | undefined => hostIn(host);

export type WorkspaceKeys = DeclaredConfiguration<typeof workspaceKeys>;

/** What an environment says about its workspace. */
export interface WorkspaceConfiguration {
  /** `https://…`, without a slash at the end. */
  readonly host: string;
  /** Null: nothing can be queried. */
  readonly warehouseId: string | null;
  readonly catalog: string;
  readonly schema: string;
  /** The folder in the workspace below which Lakehelm writes its files. */
  readonly rootPath: string;
  /** The volume, or a folder in it, for the files of the environment; null: they are below the root path. */
  readonly volume: string | null;
  /** Tags for everything that Lakehelm creates in the workspace, besides its own tags. */
  readonly tags: Readonly<Record<string, string>>;
  /** The service principal (its application id) or user that jobs run as; null: the one that Lakehelm uses. */
  readonly runAs: string | null;
}

/** A workspace allows 25 tags for one job; some are Lakehelm's own. */
const mostTags = 16;

/**
 * Reads `configuration` of an environment; all mistakes are reported together. `allowsHttp`: `http` to this machine is
 * allowed, for development and tests.
 */
export function readConfiguration(
  { id, name, ...environment }: Pick<Environment, "id" | "name" | "configuration">,
  { allowsHttp }: { readonly allowsHttp: boolean },
): { readonly configuration: WorkspaceConfiguration } | { readonly problems: readonly string[] } {
  const configuration: WorkspaceKeys = environment.configuration;
  const problems: string[] = [];
  const wrong = (key: keyof WorkspaceKeys, rest: string) =>
    problems.push(`configuration.${key} of the environment "${name}" ${rest}`);

  function text(key: keyof WorkspaceKeys, pattern: RegExp, expected: string): string | null {
    const value = configuration[key];
    if (value === undefined || value === null || value === "") return null;
    if (typeof value === "string" && value.length <= 1_000 && pattern.test(value)) return value;
    wrong(key, `must be ${expected}.`);
    return null;
  }

  const given = text("host", /./, "the URL of a workspace, such as https://dbc-1234.cloud.databricks.com");
  const host = given === null ? null : originIn(given, allowsHttp);
  if (configuration.host === undefined || configuration.host === null || configuration.host === "") {
    wrong("host", "is missing. Set it to the URL of the workspace.");
  } else if (given !== null && host === undefined) {
    wrong("host", "must be an https URL without a path, such as https://dbc-1234.cloud.databricks.com.");
  }

  const namePattern = /^[^\s./`]{1,255}$/;
  const result: WorkspaceConfiguration = {
    host: host ?? "",
    warehouseId: text("warehouse_id", /^[\w-]{1,64}$/, "the id of a SQL warehouse"),
    catalog: text("catalog", namePattern, "the name of a catalog") ?? "main",
    schema: text("schema", namePattern, "the name of a schema") ?? "default",
    rootPath:
      text("root_path", rootPattern, "an absolute folder in the workspace, such as /Workspace/Shared/shop") ??
      `/Workspace/Shared/lakehelm/${id}`,
    volume: text("volume", volumePattern, "a volume, such as /Volumes/shop/sales/files"),
    tags: tagsIn(configuration.tags, (rest) => wrong("tags", rest)),
    runAs: text("run_as", /^[\w.@+-]{1,255}$/, "the application id of a service principal, or a user name"),
  };
  return problems.length > 0 ? { problems } : { configuration: result };
}

/** No folder is named `.` or `..`: that would lead out of the folder above. */
const rootPattern = /^(?:\/(?!\.{1,2}(?:\/|$))[\w .@+-]{1,100}){2,10}$/;

const volumePattern = /^\/Volumes(?:\/(?!\.{1,2}(?:\/|$))[\w .@+-]{1,100}){3,9}$/;

/** The origin of a workspace; undefined: the text is not one. */
function originIn(text: string, allowsHttp: boolean): string | undefined {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.search || url.hash || url.pathname !== "/")
    return undefined;
  if (url.protocol === "https:") return url.origin;
  const isThisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === "http:" && allowsHttp && isThisMachine ? url.origin : undefined;
}

function tagsIn(value: unknown, wrong: (rest: string) => void): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  const entries = typeof value === "object" && !Array.isArray(value) ? Object.entries(value) : undefined;
  const isTag = ([key, text]: readonly [string, unknown]) =>
    /^[\x20-\x7e]{1,127}$/.test(key) && typeof text === "string" && /^[\x20-\x7e]{0,255}$/.test(text);
  if (entries && entries.length <= mostTags && entries.every(isTag)) return Object.fromEntries(entries);
  wrong(
    `must map at most ${mostTags} names of up to 127 characters to texts of up to 255, in plain letters, digits and signs.`,
  );
  return {};
}
