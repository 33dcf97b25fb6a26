import type { App, Environment } from "@lakehelm/contract";
import type { Settings } from "../../settings.ts";
import { type AppReference, hostLabel, readLabel } from "./host-label.ts";

/** What a request to the port of the apps is addressed to. */
export interface Address {
  readonly named: AppReference;
  /** What the paths of the app begin with for a browser; empty where the app has a host of its own. */
  readonly prefix: string;
  /** One text for one place: what a pass is good for. */
  readonly place: string;
  /** The path and query behind the prefix. */
  readonly rest: string;
  /** Where pages of the app come from. */
  readonly origin: string;
}

export interface Addresses {
  /** Whether browsers come by https: something in front of the port speaks it. */
  readonly isSecure: boolean;
  /** Undefined where no app can be meant. */
  read(host: string | undefined, target: string): Address | undefined;
  /** Where a browser finds the app: ends with a slash. */
  urlOf(app: App, environment: Environment): string;
}

type AddressSettings = Pick<
  Settings,
  "PLATFORM_APPS_URL" | "PLATFORM_APPS_DOMAIN" | "PLATFORM_DEFAULT_ENVIRONMENT"
>;

/**
 * Where apps are served: each at a host of its own below a domain, where the settings name one; otherwise side by side, by
 * their paths. Never both: an app would have another one's pages within its own origin.
 */
export function createAddresses(settings: AddressSettings, ownUrl: () => string): Addresses {
  const domain = settings.PLATFORM_APPS_DOMAIN?.toLowerCase();
  const fixed = settings.PLATFORM_APPS_URL === undefined ? undefined : new URL(settings.PLATFORM_APPS_URL);
  const front = () => fixed ?? new URL(ownUrl());
  const isSecure = fixed?.protocol === "https:";
  const scheme = isSecure ? "https" : "http";
  const defaultEnvironment = settings.PLATFORM_DEFAULT_ENVIRONMENT;

  function byHost(host: string, target: string, below: string): Address | undefined {
    const name = host.toLowerCase().replace(/:\d*$/, "");
    if (!name.endsWith(`.${below}`)) return undefined;
    const label = name.slice(0, -below.length - 1);
    const named = readLabel(label, defaultEnvironment);
    return named && { named, prefix: "", place: label, rest: target, origin: `${scheme}://${host}` };
  }

  function byPath(host: string, target: string): Address | undefined {
    const found = /^\/apps\/([^/?]+)\/([^/?]+)(.*)$/s.exec(target);
    const environment = found && decoded(found[1] as string);
    const app = found && decoded(found[2] as string);
    if (!environment || !app) return undefined;
    const prefix = prefixOf(environment, app);
    const origin = fixed?.origin ?? `${scheme}://${host}`;
    return { named: { environment, app }, prefix, place: prefix, rest: found[3] as string, origin };
  }

  return {
    isSecure,
    read(host = "", sent) {
      // A proxy may send the whole address (RFC 9112, 3.2.2).
      const target = sent.startsWith("/") ? sent : sent.replace(/^https?:\/\/[^/?]*/i, "") || "/";
      return domain === undefined ? byPath(host, target) : byHost(host, target, domain);
    },
    urlOf(app, environment) {
      const { port, origin } = front();
      if (domain === undefined) {
        return `${origin}${prefixOf(pathName(environment), pathName(app))}/`;
      }
      const label = hostLabel(app, environment, defaultEnvironment);
      return `${scheme}://${label}.${domain}${port && `:${port}`}/`;
    },
  };
}

const prefixOf = (environment: string, app: string): string =>
  `/apps/${encodeURIComponent(environment)}/${encodeURIComponent(app)}`;

/** These two are swallowed by a browser, whatever their encoding. */
const pathName = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  name === "." || name === ".." ? id : name;

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
