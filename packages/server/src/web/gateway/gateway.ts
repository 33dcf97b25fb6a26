import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { appProcess, type ProcessProvider } from "../../core/processes.ts";
import type { System } from "../../core/system.ts";
import type { Settings } from "../../settings.ts";
import type { Address } from "./addresses.ts";
import { type Admission, type AdmissionParts, createAdmission } from "./admission.ts";
import { headersForApp, headersFromApp } from "./forwarded-headers.ts";
import { notRunning, type Page, pageAnswer, pages, sendPage } from "./pages.ts";
import { createConnections, type Passage, passOn } from "./proxy.ts";
import type { Pass } from "./session.ts";
import { passUpgradeOn } from "./websocket.ts";

export interface GatewayParts extends Omit<AdmissionParts, "now" | "ttlSeconds"> {
  readonly settings: Settings;
  readonly system: System;
  readonly log: Logger;
  readonly lending: ProcessProvider;
  /** Whether this server holds the data folder, and so runs the processes. */
  readonly holdsData: () => boolean;
}

export interface Gateway {
  readonly server: Server;
  /** Accepts no new requests, ends streams, and lets other requests finish for a while. */
  stop(): Promise<void>;
}

/** For requests that are active when the server stops. */
const drainMs = 5_000;

/** The longest timeout of Node. */
const longestTimerMs = 2 ** 31 - 1;

type Led = Exclude<Admission, { readonly pass: Pass }> | (Passage & Pick<Pass, "until">);

/** The port for browsers that use apps: a different origin than the API. */
export function createGateway(parts: GatewayParts): Gateway {
  const { settings, system, log, lending, addresses, find } = parts;
  const admit = createAdmission({
    ...parts,
    now: system.now,
    ttlSeconds: settings.PLATFORM_TOKEN_TTL_SECONDS,
  });
  const connections = createConnections();
  /** Connections that only we end: streams and WebSockets. */
  const endless = new Set<Duplex>();
  const server = createServer({
    headersTimeout: settings.PLATFORM_REQUEST_TIMEOUT_MS,
    // Uploads have no time limit.
    requestTimeout: 0,
    // Other protocols are declined by omitting `Upgrade` from the response (RFC 9110, 7.8).
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
  });
  server.on("request", accept);
  server.on("checkContinue", accept);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    endless.add(socket);
    socket.once("close", () => endless.delete(socket));
    const id = system.newId();
    lead(request, id)
      .then(async (led) => {
        if (!("lent" in led)) {
          const page = "page" in led ? told(request, id, led.page) : pages.nothing;
          return void socket.end(pageAnswer(page, id));
        }
        const timer = endWith(led, socket);
        await passUpgradeOn(request, socket, head, led).finally(() => {
          clearTimeout(timer);
          led.lent.release();
        });
      })
      .catch((error) => {
        log.error({ request: id, err: error }, "failed");
        socket.destroy();
      });
  });

  /** Streams end with the session that they were admitted with. */
  const endWith = ({ until }: Pick<Pass, "until">, socket: Duplex) =>
    setTimeout(() => socket.destroy(), Math.min(until - system.now().getTime(), longestTimerMs)).unref();

  function accept(request: IncomingMessage, response: ServerResponse): void {
    const id = system.newId();
    serve(request, response, id).catch((error) => {
      log.error({ request: id, err: error }, "failed");
      if (response.headersSent) response.destroy();
      else sendPage(response, pages.failed, id);
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const led = await lead(request, id);
    if ("page" in led) return sendPage(response, told(request, id, led.page), id);
    if ("location" in led) return redirect(response, led, id);
    const { socket } = request;
    let timer: NodeJS.Timeout | undefined;
    const answerHeaders: Passage["answerHeaders"] = (headers) => {
      if (headers["content-type"]?.startsWith("text/event-stream")) {
        endless.add(socket);
        timer = endWith(led, socket);
      }
      return led.answerHeaders(headers);
    };
    await passOn(request, response, { ...led, answerHeaders }, connections).finally(() => {
      led.lent.release();
      clearTimeout(timer);
      endless.delete(socket);
    });
  }

  /** Routes a request: to the process of its app, to a redirect, or to an error page. */
  async function lead(request: IncomingMessage, requestId: string): Promise<Led> {
    const address = addresses.read(request.headers.host, request.url ?? "/");
    if (!address) return { page: frontPage(request) };
    const admission = await admit(request, address);
    if (!("pass" in admission)) return admission;
    const { pass, rest } = admission;
    const lent = lending.acquire(appProcess(pass.appId));
    if (!lent) return { page: await absence(address, pass) };
    return {
      lent,
      until: pass.until,
      path: rest,
      headers: headersForApp(request, address, pass, requestId),
      requestId,
      answerHeaders: (headers) => headersFromApp(headers, address, requestId),
    };
  }

  function frontPage({ url }: IncomingMessage): Page {
    if (url !== "/") return pages.nothing;
    return parts.holdsData() ? pages.front : pages.elsewhere;
  }

  async function absence({ named }: Address, pass: Pass): Promise<Page> {
    if (!parts.holdsData()) return pages.elsewhere;
    const app = await find(named);
    if (!app) return pages.nothing;
    // The name belongs to another app by now.
    return app.id === pass.appId ? notRunning(app.name, app.observed_state) : pages.locked;
  }

  function redirect(
    response: ServerResponse,
    { status, location, cookie }: Extract<Admission, { location: string }>,
    id: string,
  ): void {
    response.writeHead(status, {
      location,
      "content-length": 0,
      "cache-control": "no-store",
      // The URL with the ticket must not leak.
      "referrer-policy": "no-referrer",
      "x-request-id": id,
      ...(cookie !== undefined && { "set-cookie": cookie }),
    });
    response.end();
  }

  /** Without the URL, which may contain a ticket. */
  function told({ method }: IncomingMessage, request: string, page: Page): Page {
    if (page.status >= 400) log.info({ request, method, status: page.status, detail: page.title }, "refused");
    return page;
  }

  return {
    server,
    stop: () =>
      new Promise((done) => {
        const sweep = setInterval(() => server.closeIdleConnections(), 20);
        const end = setTimeout(() => server.closeAllConnections(), drainMs);
        server.close(() => {
          clearInterval(sweep);
          clearTimeout(end);
          connections.destroy();
          done();
        });
        for (const connection of endless) connection.destroy();
      }),
  };
}
