/**
 * The smallest program that runs as an agent's endpoint or an app, controlled by the test. `code` is inserted at its
 * beginning. It ends when its files are deleted, and at the latest after ten minutes, because a killed test cannot stop
 * it.
 */
export const tinyProgram = (code = "") => `import { spawn } from "node:child_process";
import { existsSync as stillExists } from "node:fs";
import { createServer } from "node:http";
setInterval(() => stillExists(import.meta.filename) || process.exit(), 2_000).unref();
setTimeout(() => process.exit(), 600_000).unref();
${code}
const kept = [];
const reply = (response, value) => response.end(JSON.stringify(value));
const routes = {
  "/env": (_, response) => reply(response, process.env),
  "/pid": (_, response) => reply(response, process.pid),
  "/exit": (query) => process.exit(Number(query.get("code"))),
  "/hang": () => {
    for (;;);
  },
  "/grow": (query, response) => {
    kept.push(Buffer.alloc(Number(query.get("mb")) * 1024 * 1024, 1));
    reply(response, true);
  },
  "/grow-child": (query, response) => {
    const code = \`const kept = Buffer.alloc(\${query.get("mb")} * 1024 * 1024, 1); setInterval(() => kept[0], 1000)\`;
    spawn(process.execPath, ["-e", code], { stdio: "ignore", detached: query.has("detached") });
    reply(response, true);
  },
  "/say": (query, response) => console.log(query.get("text")) ?? reply(response, true),
  "/slow": (query, response) => setTimeout(() => reply(response, "done"), Number(query.get("ms"))),
};
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://here");
  const answer = routes[pathname];
  if (answer) answer(searchParams, response);
  else response.writeHead(404).end("{}");
}).listen(Number(process.env.DATABRICKS_APP_PORT), "127.0.0.1", () => console.log("listening"));
`;
