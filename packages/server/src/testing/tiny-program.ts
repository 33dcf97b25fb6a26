/**
 * The smallest program that runs as an agent's endpoint or an app, controlled by the test. `code` is inserted at its
 * beginning.
 */
export const tinyProgram = (code = "") => `import { spawn } from "node:child_process";
import { createServer } from "node:http";
${code}
const kept = [];
const tell = (response, value) => response.end(JSON.stringify(value));
const asked = {
  "/env": (_, response) => tell(response, process.env),
  "/pid": (_, response) => tell(response, process.pid),
  "/exit": (query) => process.exit(Number(query.get("code"))),
  "/hang": () => {
    for (;;);
  },
  "/grow": (query, response) => {
    kept.push(Buffer.alloc(Number(query.get("mb")) * 1024 * 1024, 1));
    tell(response, true);
  },
  "/grow-child": (query, response) => {
    const code = \`const kept = Buffer.alloc(\${query.get("mb")} * 1024 * 1024, 1); setInterval(() => kept[0], 1000)\`;
    spawn(process.execPath, ["-e", code], { stdio: "ignore", detached: query.has("detached") });
    tell(response, true);
  },
  "/say": (query, response) => console.log(query.get("text")) ?? tell(response, true),
  "/slow": (query, response) => setTimeout(() => tell(response, "done"), Number(query.get("ms"))),
};
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://here");
  const answer = asked[pathname];
  if (answer) answer(searchParams, response);
  else response.writeHead(404).end("{}");
}).listen(Number(process.env.DATABRICKS_APP_PORT), "127.0.0.1", () => console.log("listening"));
`;
