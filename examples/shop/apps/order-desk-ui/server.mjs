/**
 * The web app of the order desk. The page calls this server, and this server calls the agent. Lakehelm renews the token of this
 * process in a file.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const { AGENT, LAKEHELM_URL, LAKEHELM_TOKEN_FILE, LAKEHELM_ENVIRONMENT, DATABRICKS_APP_PORT } = process.env;

const files = new Map([
  ["/", ["page.html", "text/html"]],
  ["/page.css", ["page.css", "text/css"]],
  ["/page.js", ["page.js", "text/javascript"]],
]);

const maxQuestionLength = 2_000;

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error.message);
    send(response, 502, { error: "The order desk is not available. Try again later." });
  });
});

async function answer(request, response) {
  const path = request.url.split("?", 1)[0];
  if (request.method === "POST" && path === "/ask") return ask(request, response);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && path === "/health") return send(response, 200, { status: "ok" });
  if (isRead && path === "/me") return send(response, 200, { name: userOf(request) });
  const file = isRead ? files.get(path) : undefined;
  if (!file) return send(response, 404, { error: "Not found." });
  const [name, type] = file;
  response.writeHead(200, {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": "no-cache",
    "content-security-policy":
      "default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "x-content-type-options": "nosniff",
  });
  response.end(await readFile(new URL(name, import.meta.url)));
}

async function ask(request, response) {
  const question = await questionIn(request);
  if (question === undefined) return send(response, 400, { error: 'Send {"question": "…"}.' });
  console.log(`${userOf(request)} asks: ${question}`);
  const agentResponse = await fetch(`${LAKEHELM_URL}/agents/${encodeURIComponent(AGENT)}/invocations`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${(await readFile(LAKEHELM_TOKEN_FILE, "utf8")).trim()}`,
      "content-type": "application/json",
      "x-environment-id": LAKEHELM_ENVIRONMENT,
    },
    body: JSON.stringify({ messages: [{ role: "user", content: question }] }),
  });
  const { output_text, table, detail, error } = await agentResponse.json();
  if (!agentResponse.ok) throw new Error(`The agent answered ${agentResponse.status}: ${detail ?? error}`);
  send(response, 200, { answer: output_text, table });
}

async function questionIn(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > 4 * maxQuestionLength) return undefined;
  }
  try {
    const { question } = JSON.parse(text);
    const trimmed = typeof question === "string" ? question.trim() : "";
    return trimmed === "" || trimmed.length > maxQuestionLength ? undefined : trimmed;
  } catch {
    return undefined;
  }
}

/** Lakehelm sets this header. Names that are not ASCII are percent-encoded. */
const userOf = ({ headers }) => decodeURIComponent(headers["x-forwarded-user"] ?? "unknown user");

function send(response, status, body) {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
  });
  response.end(JSON.stringify(body));
}

server.listen(Number(DATABRICKS_APP_PORT), "127.0.0.1");
process.on("SIGTERM", () => server.close());
