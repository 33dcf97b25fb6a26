import { readFile } from "node:fs/promises";
import { contentPolicy, redocPage, redocStart, scalarPage, scalarStart } from "./docs-pages.ts";

export interface DocsPage {
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Docs {
  /** The page or script at a path, or undefined where the docs have nothing. */
  page(path: string): Promise<DocsPage | undefined>;
}

/** What is printed from the contract when somebody asks for it. */
interface Printed {
  openApi(): Promise<object>;
  automationSchema(): Promise<object>;
}

const html = "text/html; charset=utf-8";
const javascript = "text/javascript; charset=utf-8";

/** Both packages carry the whole viewer as one file; nothing of theirs is run here. */
const scripts = {
  scalar: () => new URL("js/standalone.js", import.meta.resolve("@scalar/fastify-api-reference")),
  redoc: () => new URL(import.meta.resolve("redoc/bundles/redoc.standalone.js")),
};

/**
 * The API's reference, in two viewers, from local files alone. Scripts are read when they are asked for and not
 * kept: together they are 5 MB, which a server that nobody reads the docs of should not carry.
 */
export function createDocs({ openApi, automationSchema }: Printed): Docs {
  const pages: Readonly<Record<string, () => DocsPage | Promise<DocsPage>>> = {
    "/openapi.json": async () => json("application/json", await openApi()),
    "/schemas/automation/v1.json": async () => json("application/schema+json", await automationSchema()),
    "/docs": () => document(scalarPage),
    "/docs/start.js": () => script(scalarStart),
    "/docs/scalar.js": async () => script(await readFile(scripts.scalar())),
    "/redoc": () => document(redocPage),
    "/redoc/start.js": () => script(redocStart),
    "/redoc/redoc.js": async () => script(withoutLogo(await readFile(scripts.redoc(), "utf8"))),
  };
  return {
    async page(path) {
      const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
      return Object.hasOwn(pages, bare) ? pages[bare]?.() : undefined;
    },
  };
}

/** Its logo lives on a server of its makers. It hides what does not load, so that only the words are left. */
const withoutLogo = (viewer: string) =>
  viewer.replaceAll("https://cdn.redoc.ly/redoc/logo-mini.svg", "data:,");

const json = (type: string, value: object): DocsPage => ({
  contentType: `${type}; charset=utf-8`,
  body: JSON.stringify(value),
});

const document = (body: string): DocsPage => ({
  contentType: html,
  body,
  headers: {
    "content-security-policy": contentPolicy,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  },
});

const script = (body: string | Buffer): DocsPage => ({
  contentType: javascript,
  body,
  // Not `immutable`: the next version of the server may bring another viewer under the same name.
  headers: { "cache-control": "private, max-age=3600", "x-content-type-options": "nosniff" },
});
