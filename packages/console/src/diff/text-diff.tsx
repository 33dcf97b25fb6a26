import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { type DiffLine, diffLines } from "./lines.ts";

interface TextDiffProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** The number of unchanged lines that are shown around a change. */
const context = 3;
const signs = { same: " ", removed: "−", added: "+" } as const;
const words = { same: "", removed: "removed: ", added: "added: " } as const;

/** Compares two texts line by line. Long unchanged parts are left out. */
export function TextDiff({ label, before, after }: TextDiffProps): VNode {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  if (lines.every(({ kind }) => kind === "same")) return <p class="soft">Nothing is changed.</p>;
  return (
    <section class="text-diff" aria-label={label} tabIndex={0}>
      {shown(lines).map((line, at) =>
        line === undefined ? (
          <div key={at} class="gap">
            ⋯
          </div>
        ) : (
          <div key={at} class={line.kind}>
            <span aria-hidden="true">{signs[line.kind]}</span>
            <span>
              {line.kind !== "same" && <span class="visually-hidden">{words[line.kind]}</span>}
              {line.text}
            </span>
          </div>
        ),
      )}
    </section>
  );
}

/** The lines to show; undefined stands for lines that are left out. */
function shown(lines: readonly DiffLine[]): readonly (DiffLine | undefined)[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== "same"),
  );
  return lines.flatMap((line, at) => (isNear[at] ? [line] : isNear[at - 1] || at === 0 ? [undefined] : []));
}
