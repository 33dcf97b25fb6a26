import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { appProcess, type ProcessProvider } from "../../core/processes.ts";
import type { System } from "../../core/system.ts";
import type { Settings } from "../../settings.ts";
import type { Address } from "./addresses.ts";
import { type Admission, type AdmissionDependencies, createAdmission } from "./admission.ts";
import { headersForApp, headersFromApp } from "./forwarded-headers.ts";
import { type AppPage, notRunning, pageAnswer, pages, sendPage } from "./pages.ts";
import { createConnections, type ForwardTarget, forward } from "./proxy.ts";
import type { AppSession } from "./session.ts";
import { forwardUpgrade } from "./websocket.ts";

export interface GatewayDependencies extends Omit<AdmissionDependencies, "now" | "ttlSeconds"> {
  readonly settings: Settings;
  readonly system: System;
  readonly log: Logger;
  readonly processes: ProcessProvider;
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

/** How often an open connection checks that its user may still have it. */
const sessionCheckMs = 5_000;

/** The longest timeout of Node. */
const longestTimerMs = 2 ** 31 - 1;

type RoutedRequest =
  | Exclude<Admission, { readonly session: AppSession }>
  | (ForwardTarget & { readonly session: AppSession });

/** The port for browsers that use apps: a different origin than the API. */
export function createGateway(deps: GatewayDependencies): Gateway {
  const { settings, system, log, processes, addresses, find } = deps;
  const admit = createAdmission({
    ...deps,
    now: system.now,
    ttlSeconds: settings.PLATFORM_TOKEN_TTL_SECONDS,
  });
  const connections = createConnections();
  /** Connections that end only if this server ends them: streams and WebSockets. */
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
    route(request, id)
      .then(async (routed) => {
        if (!("process" in routed)) {
          const page = "page" in routed ? logRejection(request, id, routed.page) : pages.nothing;
          return void socket.end(pageAnswer(page, id));
        }
        const stopWatching = [endWithUser(routed.session, socket), endWithSession(routed.session, socket)];
        await forwardUpgrade(request, socket, head, routed).finally(() => {
          for (const stop of stopWatching) stop();
          routed.process.release();
        });
      })
      .catch((error) => {
        log.error({ request: id, err: error }, "failed");
        socket.destroy();
      });
  });

  /** Streams end with the session that they were admitted with. Returns a function that stops watching it. */
  function endWithSession(session: AppSession, socket: Duplex): () => void {
    const left = session.until - system.now().getTime();
    const timer = setTimeout(() => socket.destroy(), Math.min(left, longestTimerMs)).unref();
    return () => clearTimeout(timer);
  }

  /**
   * An answer of any type ends once its user may no longer use the app, or has another role than the app was told.
   * Returns a function that stops watching.
   */
  function endWithUser(session: AppSession, socket: Duplex): () => void {
    const check = setInterval(async () => {
      const role = await deps.roleNow(session).catch(() => session.role);
      if (role !== session.role) socket.destroy();
    }, sessionCheckMs).unref();
    return () => clearInterval(check);
  }

  function accept(request: IncomingMessage, response: ServerResponse): void {
    const id = system.newId();
    serve(request, response, id).catch((error) => {
      log.error({ request: id, err: error }, "failed");
      if (response.headersSent) response.destroy();
      else sendPage(response, pages.failed, id);
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const routed = await route(request, id);
    if ("page" in routed) return sendPage(response, logRejection(request, id, routed.page), id);
    if ("location" in routed) return redirect(response, routed, id);
    const { socket } = request;
    const stopWatching = [endWithUser(routed.session, socket)];
    const answerHeaders: ForwardTarget["answerHeaders"] = (headers) => {
      if (/^text\/event-stream/i.test(headers["content-type"] ?? "")) {
        endless.add(socket);
        stopWatching.push(endWithSession(routed.session, socket));
      }
      return routed.answerHeaders(headers);
    };
    await forward(request, response, { ...routed, answerHeaders }, connections).finally(() => {
      routed.process.release();
      for (const stop of stopWatching) stop();
      endless.delete(socket);
    });
  }

  /** Routes a request: to the process of its app, to a redirect, or to an error page. */
  async function route(request: IncomingMessage, requestId: string): Promise<RoutedRequest> {
    const address = addresses.read(request.headers.host, request.url ?? "/");
    if (!address) return { page: frontPage(request) };
    const admission = await admit(request, address);
    if (!("session" in admission)) return admission;
    const { session, rest } = admission;
    const process = processes.acquire(appProcess(session.appId));
    if (!process) return { page: await absence(address, session) };
    return {
      process,
      session,
      path: rest,
      headers: headersForApp(request, address, session, requestId),
      requestId,
      answerHeaders: (headers) => headersFromApp(headers, address, requestId),
    };
  }

  function frontPage({ url }: IncomingMessage): AppPage {
    if (url !== "/") return pages.nothing;
    return deps.holdsData() ? pages.front : pages.elsewhere;
  }

  async function absence({ named }: Address, session: AppSession): Promise<AppPage> {
    if (!deps.holdsData()) return pages.elsewhere;
    const app = await find(named);
    if (!app) return pages.nothing;
    // If the id differs, the name now belongs to another app.
    return app.id === session.appId ? notRunning(app.name, app.observed_state) : pages.locked;
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

  /** Logs no URL, because it may contain a ticket. */
  function logRejection({ method }: IncomingMessage, request: string, page: AppPage): AppPage {
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
