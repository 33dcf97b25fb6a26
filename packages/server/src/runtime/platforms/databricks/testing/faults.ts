import type { ServerResponse } from "node:http";

/** How the next matching requests fail. */
export interface Fault {
  /** `POST /api/2.2/jobs/create`, or a prefix with `*` at its end. */
  readonly match: string;
  readonly kind:
    | { readonly status: number; readonly body?: object | string; readonly retryAfter?: number }
    /** The connection is closed without a response. */
    | "drop"
    /** A web page, with 200. */
    | "html"
    /** No response, until the caller gives up. */
    | "silence"
    | { readonly redirect: string };
  /** The request is carried out first: only the answer is lost. */
  readonly after?: boolean;
  /** How often; 1 unless told otherwise. */
  readonly times?: number;
}

interface ActiveFault {
  readonly afterwards: boolean;
  apply(response: ServerResponse): void;
}

/** The fault for a request, if there is one; it is counted. */
export function faultFor(faults: Fault[], line: string): ActiveFault | undefined {
  const at = faults.findIndex(({ match }) =>
    match.endsWith("*") ? line.startsWith(match.slice(0, -1)) : line === match,
  );
  const fault = faults[at];
  if (!fault) return undefined;
  const times = (fault.times ?? 1) - 1;
  faults.splice(at, 1, ...(times > 0 ? [{ ...fault, times }] : []));
  return activeFault(fault);
}

export const activeFault = ({ kind, after = false }: Pick<Fault, "kind" | "after">): ActiveFault => ({
  afterwards: after,
  apply: (response) => send(response, kind),
});

function send(response: ServerResponse, kind: Fault["kind"]): void {
  if (kind === "silence") return;
  if (kind === "drop") {
    response.socket?.resetAndDestroy();
  } else if (kind === "html") {
    response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Please sign in</body></html>");
  } else if ("redirect" in kind) {
    response.writeHead(303, { location: kind.redirect }).end();
  } else {
    const { status, retryAfter, body = { error_code: "FAULT", message: "A fault of the test." } } = kind;
    const headers = {
      "content-type": typeof body === "string" ? "text/html" : "application/json",
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    };
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  }
}

/** The ways of losing an answer: not done, or done and only the answer is lost. */
export const lostAnswers: readonly Pick<Fault, "kind" | "after">[] = [
  "drop" as const,
  "html" as const,
  { status: 503 },
  { status: 429, retryAfter: 0 },
].flatMap((kind) => [false, true].map((after) => ({ kind, after })));
