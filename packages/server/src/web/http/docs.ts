import { readFile } from "node:fs/promises";
import { contentPolicy, docsPage, docsStart } from "./docs-page.ts";

export interface DocsPage {
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Docs {
  /** The page or script at a path; undefined if there is none. */
  page(path: string): Promise<DocsPage | undefined>;
}

/** Documents generated from the contract on request. */
interface Printed {
  openApi(): Promise<object>;
  automationSchema(): Promise<object>;
}

const javascript = "text/javascript; charset=utf-8";
const css = "text/css; charset=utf-8";

/** A file of the viewer. Its package is never imported, only read. */
const viewer = (file: string) => readFile(new URL(import.meta.resolve(`swagger-ui-dist/${file}`)));

/**
 * The API reference, from local files alone. The viewer's files are read on each request and not kept: they are
 * 1.6 MB that most servers never send.
 */
export function createDocs({ openApi, automationSchema }: Printed): Docs {
  const pages: Readonly<Record<string, () => DocsPage | Promise<DocsPage>>> = {
    "/openapi.json": async () => json("application/json", await openApi()),
    "/schemas/automation/v1.json": async () => json("application/schema+json", await automationSchema()),
    "/docs": () => document(docsPage),
    "/redoc": () => document(docsPage),
    "/docs/start.js": () => asset(javascript, docsStart),
    "/docs/swagger-ui.js": async () => asset(javascript, await viewer("swagger-ui-bundle.js")),
    "/docs/swagger-ui.css": async () => asset(css, await viewer("swagger-ui.css")),
  };
  return {
    async page(path) {
      const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
      return Object.hasOwn(pages, bare) ? pages[bare]?.() : undefined;
    },
  };
}

const json = (type: string, value: object): DocsPage => ({
  contentType: `${type}; charset=utf-8`,
  body: JSON.stringify(value),
  headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
});

const document = (body: string): DocsPage => ({
  contentType: "text/html; charset=utf-8",
  body,
  headers: {
    "content-security-policy": contentPolicy,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  },
});

const asset = (contentType: string, body: string | Buffer): DocsPage => ({
  contentType,
  body,
  // Not `immutable`: the next version of the server may bring another viewer under the same name.
  headers: { "cache-control": "private, max-age=3600", "x-content-type-options": "nosniff" },
});
