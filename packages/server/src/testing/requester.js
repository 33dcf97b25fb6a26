// @ts-check
import { parentPort, workerData } from "node:worker_threads";

const { baseUrl, token } = workerData;
const port = parentPort;
if (!port) throw new Error("requester.js runs as a worker thread");
port.on("message", async ({ path, method = "GET", body, headers }) => {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  port.postMessage({ status: response.status, text });
});
