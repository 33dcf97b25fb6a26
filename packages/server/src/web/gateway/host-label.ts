import type { App, Environment } from "@lakehelm/contract";

/** An app as a browser's address names it. */
export interface AppReference {
  /** Id or name; undefined: of an app that is named by its id alone. */
  readonly environment: string | undefined;
  /** Id or name. */
  readonly app: string;
}

/** Most of a host's name that one label may have (RFC 1035, 2.3.4). */
const longest = 63;
const between = "--";
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A name that can be a label as it is, and can be told from an id and from two names. */
const isLabel = (name: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(name) && !name.includes(between) && !uuid.test(name);

/** `<app>`, or `<app>--<environment>` in another than the default one; the app's id, where names are no labels. */
export function hostLabel(app: App, environment: Environment, defaultEnvironment: string): string {
  const names = environment.name === defaultEnvironment ? [app.name] : [app.name, environment.name];
  const label = names.join(between);
  return names.every(isLabel) && label.length <= longest ? label : app.id;
}

/** What a label means; undefined: nothing. */
export function readLabel(label: string, defaultEnvironment: string): AppReference | undefined {
  if (uuid.test(label)) return { environment: undefined, app: label };
  const [app = "", environment = defaultEnvironment, ...more] = label.split(between);
  return isLabel(app) && more.length === 0 ? { environment, app } : undefined;
}
