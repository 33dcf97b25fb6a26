import type { ServerResponse } from "node:http";

/** Pages of the gateway itself. */
export interface AppPage {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
  /** Sends a POST to an address of this origin. */
  readonly button?: { readonly label: string; readonly action: string };
}

const howToGetIn =
  "Get a ticket from the API (POST /api/apps/{app_id}/tickets) and open the URL in its response. A ticket is valid for a minute and can be used once; the session lasts for an hour.";

export const pages = {
  front: { status: 200, title: "Apps", sentence: "Apps are served here, each at its own address." },
  elsewhere: {
    status: 503,
    title: "No apps on this server",
    sentence: "Apps run on another server at the moment: the one that holds the data folder.",
  },
  nothing: { status: 404, title: "Nothing here", sentence: "No app is served at this address." },
  locked: { status: 401, title: "This address needs a ticket", sentence: howToGetIn },
  spent: { status: 401, title: "This ticket is no longer valid", sentence: howToGetIn },
  foreign: {
    status: 403,
    title: "Cross-origin request rejected",
    sentence:
      "This request came from a page of another origin. Only the app's own pages may send requests that change something.",
  },
  broken: { status: 502, title: "The app does not respond", sentence: "It closed the connection." },
  silent: { status: 504, title: "The app does not respond", sentence: "It sent nothing for too long." },
  failed: { status: 500, title: "Internal error", sentence: "The server log has the details." },
} as const satisfies Record<string, AppPage>;

export const notRunning = (name: string, state: string): AppPage => ({
  status: 503,
  title: `${name} is not running`,
  sentence:
    state === "pending"
      ? "It is being started. Try again in a moment."
      : `It is ${state === "running" ? "being restarted" : state}. To start it, call POST /api/apps/start.`,
});

/** A link of another user would silently switch the user, so we ask. */
export const otherUser = (shown: string, ofTicket: string, action: string): AppPage => ({
  status: 409,
  title: `This ticket belongs to ${ofTicket}`,
  sentence: `You are signed in as ${shown}. If you did not request this ticket yourself, close this page: if you continue, you act as ${ofTicket}.`,
  button: { label: `Continue as ${ofTicket}`, action },
});

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** Headers of every page: no subresources, caching, framing or referrers. */
const headersOf = ({ button }: AppPage) => ({
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": policy.join("; "),
  // With `no-referrer` the button's `Origin` would be "null".
  "referrer-policy": button ? "same-origin" : "no-referrer",
  "x-content-type-options": "nosniff",
});

export function sendPage(response: ServerResponse, page: AppPage, requestId: string): void {
  const text = pageText(page);
  response.writeHead(page.status, {
    ...headersOf(page),
    "content-length": Buffer.byteLength(text),
    "x-request-id": requestId,
    ...(page.status === 503 && { "retry-after": "5" }),
  });
  response.end(text);
}

/** The page as an HTTP response for the raw connection of a protocol upgrade. */
export function pageAnswer(page: AppPage, requestId: string): string {
  const text = pageText(page);
  const lines = Object.entries({
    ...headersOf(page),
    "content-length": Buffer.byteLength(text),
    connection: "close",
  });
  return [
    `HTTP/1.1 ${page.status} ${page.title.replace(/[^\x20-\x7e]/g, "?")}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${requestId}`,
    "",
    text,
  ].join("\r\n");
}

const buttonText = ({ label, action }: NonNullable<AppPage["button"]>): string => `
      <form method="post" action="${escaped(action)}"><button>${escaped(label)}</button></form>`;

const pageText = ({ title, sentence, button }: AppPage): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)}</title>
    <style>
      :root { color-scheme: light dark }
      body { max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif }
      h1 { font-size: 1.4rem; font-weight: 600 }
      button { font: inherit; padding: .4rem 1rem }
    </style>
  </head>
  <body>
    <main>
      <h1>${escaped(title)}</h1>
      <p>${escaped(sentence)}</p>${button ? buttonText(button) : ""}
    </main>
  </body>
</html>
`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
