/** Where the credentials of a config go. A secret scope lists the hosts that its secrets may be sent to. */
import { isMap } from "./config.ts";
import type { CredentialPath } from "./credentials.ts";
import { bracketed } from "./hosts.ts";
import { connectionKind, connectionKinds } from "./kinds/index.ts";

/** Instead of a host: code of callers, such as apps and tasks that run a program, which may send a secret anywhere. */
export const programs = "programs";
/** Instead of a host: any host, and programs. */
export const anyHost = "*";

/**
 * The host of an address, or of a field that is only a host, in one form, with the port if that is known: `db.example.com:5432`.
 * Undefined: there is none, or a part of it is filled in later.
 */
export function hostIn(address: unknown, usualPort?: number): string | undefined {
  if (typeof address !== "string" || address === "") return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
  const rest = scheme === undefined ? bracketed(address) : address.slice(scheme.length + 3);
  // An unknown scheme has no IP addresses in one form. Each of these two leaves out its own port.
  const [plain, secure] = ["http", "https"].map((known) => URL.parse(`${known}://${rest}`));
  const host = plain?.hostname.replace(/\.$/, "");
  if (host === undefined || host === "" || /\{\{|\}\}/.test(host)) return undefined;
  const port = plain?.port || secure?.port || usualPort || schemePorts[scheme ?? ""];
  return port ? `${host}:${port}` : host;
}

const schemePorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** `[::1]:443`, `db:5432`, `*.example.com`, `programs`. */
function partsOf(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, name = entry, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  return { name, port };
}

/**
 * Whether a scope with this list may send its secrets to a host. `*.example.com` stands for every host below it, and an entry
 * without a port for all of its ports.
 */
export function allowsHost(hosts: readonly string[], host: string): boolean {
  const to = partsOf(host);
  return hosts.some((one) => {
    if (one === anyHost || one === host) return true;
    const { name, port } = partsOf(one);
    if (port !== undefined && port !== to.port) return false;
    return (
      name === to.name || (name.startsWith("*.") && host !== programs && to.name.endsWith(name.slice(1)))
    );
  });
}

/** Of HTTP and of databases: a list leaves them out. */
const isUsualPort = (port: string) =>
  port === "80" || port === "443" || connectionKinds.some(({ defaultPort }) => port === String(defaultPort));

/** The entry for a host in a list: with its port, unless that is a usual one. */
export function hostEntry(host: string): string {
  const { name, port } = partsOf(host);
  return port === undefined || isUsualPort(port) ? name : `${name}:${port}`;
}

/** An entry of the list in its one form; undefined: it is none. */
export function secretHost(entry: string): string | undefined {
  const text = entry.trim().toLowerCase();
  if (text === anyHost || text === programs) return text;
  if (text.startsWith("*.")) {
    const below = secretHost(text.slice(2));
    return below === undefined || below === anyHost || below === programs || below.startsWith("*.")
      ? undefined
      : `*.${below}`;
  }
  return /[\s/@?#*]|:\/\//.test(text) ? undefined : hostIn(text);
}

/** The hosts that get the credential at a path of a config, or one that is made of it; undefined: not all are known. */
export function connectionHosts(
  kind: string,
  config: Readonly<Record<string, unknown>>,
  path: CredentialPath,
): readonly string[] | undefined {
  const hosts = connectionKind(kind)
    ?.address(config, path)
    .map((address) => hostIn(address));
  return hosts?.every((host) => host !== undefined) ? hosts : undefined;
}

/** The same for a connector's `target_config`. */
export function targetHosts(
  targetType: string,
  targetConfig: Readonly<Record<string, unknown>>,
  path: CredentialPath,
): readonly string[] | undefined {
  if (targetType !== "warehouse") return connectionHosts(targetType, targetConfig, path);
  const { connection } = targetConfig;
  if (!isMap(connection) || !isMap(connection.config) || typeof connection.type !== "string")
    return undefined;
  return connectionHosts(connection.type, connection.config, path.slice(2));
}
