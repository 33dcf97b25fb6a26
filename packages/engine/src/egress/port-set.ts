/** A set of ports, one bit each, in shared memory: threads see changes at once. */
export type PortSet = Uint8Array<SharedArrayBuffer>;

export const createPortSet = (): PortSet => new Uint8Array(new SharedArrayBuffer(65_536 / 8));

export const hasPort = (set: PortSet, port: number): boolean =>
  ((set[port >> 3] ?? 0) & (1 << (port & 7))) !== 0;

export function setPorts(set: PortSet, ports: readonly number[]): void {
  const next = new Uint8Array(set.length);
  for (const port of ports) next[port >> 3] = (next[port >> 3] ?? 0) | (1 << (port & 7));
  set.set(next);
}
