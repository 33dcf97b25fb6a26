import { get } from "node:http";

/** Whether the process responds with a status below 500. */
export function isHealthy(port: number, path: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: "127.0.0.1", port, path, agent: false, timeout: timeoutMs }, (response) => {
      response.destroy();
      resolve((response.statusCode ?? 500) < 500);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
    request.on("close", () => resolve(false));
  });
}
