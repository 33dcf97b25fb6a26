import { Agent, request } from "node:http";
import { token } from "../processes.ts";

/**
 * Sends requests at a fixed rate until `until` has passed, without waiting for responses. Returns the 99th percentile
 * in milliseconds, from the time at which a request was due.
 */
export async function p99At(
  port: number,
  path: string,
  perSecond: number,
  until: Promise<unknown>,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const times: number[] = [];
  const pending = new Set<Promise<void>>();
  let over = false;
  until.then(
    () => {
      over = true;
    },
    () => {
      over = true;
    },
  );
  const began = performance.now();
  for (let n = 0; !over; n++) {
    const due = began + (n * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((next) => setTimeout(next, wait));
    const one = ask(agent, port, path).then(() => {
      times.push(performance.now() - due);
      pending.delete(one);
    });
    pending.add(one);
  }
  await Promise.all(pending);
  agent.destroy();
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

function ask(agent: Agent, port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request({ agent, port, path, host: "127.0.0.1", headers }, (answer) => {
      answer.resume();
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${answer.statusCode}`)),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}
