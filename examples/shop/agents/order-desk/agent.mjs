/**
 * The order desk: an agent that answers questions about orders. It uses no language model: it knows a few kinds of questions and
 * queries the warehouse. `POST /invocations` takes `{"messages": [{"role": "user", "content": "…"}]}` and returns `output_text`
 * and, for lists, a `table`.
 */
import { createServer } from "node:http";
import { answerTo } from "./answers.mjs";

const maxBodyLength = 64 * 1024;

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => send(response, status, body),
    (error) => {
      console.error(error.message);
      send(response, 502, { error: error.message });
    },
  );
});

async function answer(request) {
  if (request.method === "GET" && request.url === "/health") return { status: 200, body: { status: "ok" } };
  if (request.method !== "POST" || request.url !== "/invocations") {
    return { status: 404, body: { error: "Send questions to POST /invocations." } };
  }
  const question = questionIn(await bodyOf(request));
  if (question === undefined) {
    return { status: 400, body: { error: 'Send {"messages": [{"role": "user", "content": "…"}]}.' } };
  }
  console.log(`${request.headers["x-forwarded-user"] ?? "unknown user"} asks: ${question}`);
  return { status: 200, body: await answerTo(question) };
}

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > maxBodyLength) return undefined;
  }
  return text;
}

/** The last message of the user. */
function questionIn(text) {
  try {
    const { messages } = JSON.parse(text ?? "");
    const { content } = messages.findLast(({ role }) => role === "user");
    return typeof content === "string" ? content.trim() : undefined;
  } catch {
    return undefined;
  }
}

function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}

server.listen(Number(process.env.DATABRICKS_APP_PORT), "127.0.0.1");
process.on("SIGTERM", () => server.close());
