/**
 * A cycle of a graph, with its first node repeated at the end. Takes linear time, and no recursion, because a chain can
 * be long.
 */
export function cycleIn(graph: ReadonlyMap<string, Iterable<string>>): string[] | undefined {
  const done = new Set<string>();
  for (const root of graph.keys()) {
    if (done.has(root)) continue;
    const path = [root];
    const onPath = new Set(path);
    const open = [[...(graph.get(root) ?? [])]];
    while (path.length > 0) {
      const next = open.at(-1)?.pop();
      if (next === undefined) {
        const end = path.pop() as string;
        open.pop();
        onPath.delete(end);
        done.add(end);
      } else if (onPath.has(next)) return [...path.slice(path.indexOf(next)), next];
      else if (!done.has(next) && graph.has(next)) {
        path.push(next);
        onPath.add(next);
        open.push([...(graph.get(next) ?? [])]);
      }
    }
  }
  return undefined;
}
