import type { Edges } from "./layers.ts";
import { layOut } from "./layout.ts";

interface LayoutRequest {
  readonly count: number;
  readonly edges: Edges;
}

/** The address of this script, which the page starts again as a worker. */
export const workerUrl = import.meta.url;

/** The part of the worker's own scope that is used here: the types of the page have no worker. */
interface WorkerScope {
  readonly document?: unknown;
  onmessage: ((event: MessageEvent<LayoutRequest>) => void) | null;
  postMessage(message: unknown): void;
}

const scope = globalThis as unknown as WorkerScope;
// In the page the script only says where it is.
if (scope.document === undefined)
  scope.onmessage = ({ data }) => scope.postMessage(layOut(data.count, data.edges));
