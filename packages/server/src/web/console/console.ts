import type { IncomingHttpHeaders } from "node:http";
import type { BundledFile, ConsoleBundle } from "@lakehelm/console/bundle";
import { assetHeaders, pageHeaders } from "./headers.ts";

interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

export interface Console {
  /** The answer to a GET of a browser; undefined if the path is not the console's. */
  answer(path: string, headers: IncomingHttpHeaders): Promise<ConsoleAnswer | undefined>;
}

export interface ConsoleOptions {
  readonly bundle: () => Promise<ConsoleBundle>;
  /** In development: compiles again after a change of the sources. */
  readonly sourceHash?: (() => Promise<string>) | undefined;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
}

/** After a failure, the next attempt waits this long: a broken source would fail again. */
const retryMs = 5_000;

/**
 * Serves the console to anyone: it has no data, only the program that asks the API for it. It is bundled with the first
 * request, so that a server without browsers never pays for it, and a failure affects nothing else.
 */
export function createConsole({ bundle, sourceHash, onError, now }: ConsoleOptions): Console {
  let current: Promise<ConsoleBundle> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  async function bundled(): Promise<ConsoleBundle | undefined> {
    if (current && sourceHash) {
      const { hash } = await current;
      if (hash !== (await sourceHash())) current = undefined;
    }
    if (!current && now() - failedAt < retryMs) return undefined;
    current ??= bundle();
    try {
      return await current;
    } catch (error) {
      current = undefined;
      failedAt = now();
      onError(error);
      return undefined;
    }
  }

  return {
    async answer(path, headers) {
      if (path === "/" && headers.accept?.includes("text/html")) return redirect;
      if (path === "/console") return redirect;
      if (!path.startsWith("/console/")) return undefined;
      const asset = /^\/console\/assets\/([\w.-]+)$/.exec(path)?.[1];
      const found = asset !== undefined && current ? await current.catch(() => undefined) : await bundled();
      if (!found) return unavailable;
      if (asset === undefined) return answerOf(found.page, pageHeaders, headers);
      const file = found.files.get(asset);
      return file ? answerOf(file, assetHeaders, headers) : missing;
    },
  };
}

function answerOf(
  file: BundledFile,
  headers: Readonly<Record<string, string>>,
  { "accept-encoding": accepted = "" }: IncomingHttpHeaders,
): ConsoleAnswer {
  const names = String(accepted);
  const encoding = /\bbr\b/.test(names) ? "br" : /\bgzip\b/.test(names) ? "gzip" : undefined;
  return {
    status: 200,
    headers: {
      ...headers,
      "content-type": file.contentType,
      vary: "accept-encoding",
      ...(encoding && { "content-encoding": encoding }),
    },
    body: file[encoding ?? "plain"],
  };
}

const text = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
const redirect: ConsoleAnswer = {
  status: 302,
  headers: { ...text, location: "/console/", vary: "accept" },
  body: "",
};
const missing: ConsoleAnswer = {
  status: 404,
  headers: { ...text, "cache-control": "no-store" },
  body: "The console has changed. Reload the page.",
};
const unavailable: ConsoleAnswer = {
  status: 503,
  headers: {
    ...pageHeaders,
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "retry-after": "5",
  },
  body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="color-scheme" content="light dark">
    <title>Lakehelm: no console</title>
  </head>
  <body>
    <h1>The console could not be built</h1>
    <p>The log of the server says why. After the repair, reload this page.</p>
    <p>The API works: see <a href="/docs">its reference</a>.</p>
  </body>
</html>
`,
};
