import type { Client } from "@lakehelm/contract/client";

/** An agent that responds as its request says, and counts the requests. */
const program = `import { createServer } from "node:http";
import { text } from "node:stream/consumers";
let requests = 0;
createServer(async (request, response) => {
  if (request.url !== "/invocations") return response.writeHead(404).end();
  const body = await text(request);
  requests += 1;
  const json = (status, value) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (request.headers["content-type"] !== "application/json") {
    return response.writeHead(201, { "content-type": "text/x-echo" }).end(body);
  }
  const { messages: [{ content }], ...more } = JSON.parse(body);
  if (content === "headers") return json(200, request.headers);
  if (content === "events") {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    return request.socket.once("close", () => console.log("the caller disconnected")), setTimeout(() => response.write("data: 1\\n\\n"), 10);
  }
  if (content === "break off") return response.write("half"), setTimeout(() => response.destroy(), 10);
  if (content === "switch") return request.socket.write("HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: x\\r\\n\\r\\n");
  if (content === "no status") return request.socket.write("HTTP/1.1 099 x\\r\\nContent-Length: 0\\r\\n\\r\\n");
  if (content === "fail") return json(500, { error: "no idea" });
  if (content === "nothing") return json(200, {});
  if (content === "choices") return json(200, { choices: [{ message: { content: "chosen" } }] });
  if (content === "messages") return json(200, { messages: [{ content: "first" }, { content: "last" }] });
  if (content === "plain") return response.writeHead(200, { "content-type": "text/plain" }).end("plainly\\n");
  json(200, { output_text: content + " " + requests + " " + JSON.stringify(more) });
}).listen(Number(process.env.DATABRICKS_APP_PORT), "127.0.0.1");
`;

export const testAgentPath = "agent";

/** Puts the test agent into the workspace of an environment; returns its folder. */
export async function putTestAgent(client: Client, environment: string): Promise<string> {
  const put = (name: string, body: string) =>
    client.putFile({ params: { path: `${testAgentPath}/${name}` }, body, environment });
  await put("app.yaml", "command: [node, agent.mjs]\n");
  await put("agent.mjs", program);
  return testAgentPath;
}
