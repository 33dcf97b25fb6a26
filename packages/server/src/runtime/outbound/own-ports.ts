import { createPortSet, type PortSet, setPorts } from "@lakehelm/engine/egress";

/**
 * The ports of this server and of the processes that it runs: no connection that a caller requests may lead to them.
 */
export interface OwnPorts {
  readonly set: PortSet;
  readonly list: readonly number[];
  add(port: number): void;
  delete(port: number): void;
}

export function createOwnPorts(onChange: (ports: readonly number[]) => void): OwnPorts {
  const set = createPortSet();
  /** A port may be taken again before its last process is known to have ended. */
  const counts = new Map<number, number>();
  function change(port: number, by: number): void {
    const count = (counts.get(port) ?? 0) + by;
    if (count > 0) counts.set(port, count);
    else counts.delete(port);
    setPorts(set, [...counts.keys()]);
    onChange([...counts.keys()]);
  }
  return {
    set,
    get list() {
      return [...counts.keys()];
    },
    add: (port) => change(port, 1),
    delete: (port) => change(port, -1),
  };
}
