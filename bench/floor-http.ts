/** The floor: node:http alone, which sends prepared bytes. A PUT sets the response of a path. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const answers = new Map<string, string>();

const server = createServer((request, response) => {
  if (request.method === "PUT") {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      answers.set(request.url as string, Buffer.concat(chunks).toString());
      response.end();
    });
    return;
  }
  const body = answers.get(request.url as string) as string;
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address() as AddressInfo;
  console.log(`listening ${address.port}`);
});
