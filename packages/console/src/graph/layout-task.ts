import type { Edges } from "./layers.ts";
import type { Layout } from "./layout.ts";

/** Smaller graphs are laid out at once: it takes less than a frame. 500 tables take 45 ms on a busy machine. */
const most = 200;

/** The policy of the page lets only this start a worker, and only from the console's own scripts. */
let policy: { createScriptURL(url: string): unknown } | undefined;
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy("lakehelm", {
    createScriptURL(text) {
      if (text.startsWith(`${location.origin}/console/assets/`)) return text;
      throw new Error(`${text} is not a script of the console.`);
    },
  });
  // The type of `Worker` does not know trusted addresses yet.
  return (policy ? policy.createScriptURL(url) : url) as string;
}

export const isLarge = (count: number): boolean => count > most;

/** Lays a large graph out in a worker, so that the page stays usable. */
export async function layOutInWorker(count: number, edges: Edges, signal: AbortSignal): Promise<Layout> {
  const { workerUrl } = await import("./worker.ts");
  if (signal.aborted) throw signal.reason;
  const worker = new Worker(trusted(workerUrl), { type: "module" });
  try {
    return await new Promise<Layout>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      worker.onmessage = ({ data }: MessageEvent<Layout>) => resolve(data);
      worker.onerror = () => reject(new Error("The graph could not be laid out."));
      worker.postMessage({ count, edges });
    });
  } finally {
    worker.terminate();
  }
}
