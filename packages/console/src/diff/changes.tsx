import type { FunctionComponent, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "../ui/page.tsx";

interface ChangesProps {
  readonly before: string;
  readonly after: string;
}

/** Compares two texts line by line. The script is loaded when changes are first shown. */
export function Changes({ before, after }: ChangesProps): VNode {
  const [Diff, setDiff] = useState<FunctionComponent<ChangesProps & { label: string }>>();
  useEffect(() => {
    void import("./text-diff.tsx").then(({ TextDiff }) => setDiff(() => TextDiff));
  }, []);
  return Diff ? <Diff label="Changes" before={before} after={after} /> : <Loading what="the changes" />;
}
