import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { place, setQuery } from "../app/router.ts";
import type { LogState } from "../data/log-stream.ts";
import { counted, count as countText } from "../format/number.ts";
import { clockTime } from "../format/time.ts";
import { Button } from "./button.tsx";
import { ErrorBox } from "./error-box.tsx";
import { Icon } from "./icons.tsx";
import { saveFile } from "./save-file.ts";
import { useVirtualRows } from "./virtual.ts";

interface LogLine {
  readonly n: number;
  readonly line: string;
  readonly time?: string;
  readonly level?: string;
}

interface LogPanelProps {
  readonly title: string;
  readonly state: LogState;
  readonly problem: Error | undefined;
  /** The number of lines in the whole log, as far as it is known. */
  readonly total: number;
  /** The number of lines to show: all lines, or the lines that contain the search text. */
  readonly count: number;
  /** The line at an index; undefined while it is loading. */
  readonly lineAt: (index: number) => LogLine | undefined;
  /** Called with the first and the last line in view. */
  readonly onView?: (first: number, last: number) => unknown;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly onDownload: () => Promise<unknown>;
  /** Whether lines have numbers with an address. False if the numbers are positions without a meaning for users. */
  readonly hasNumbers: boolean;
}

const rowHeight = 18;
/** A complete log with fewer lines is only as high as its lines. */
const fewLines = 16;
const stateTexts = { following: "Following", ended: "Complete", reconnecting: "Reconnecting…" };

/** A log of any length: follow, search, download. Only the lines in view are rendered. */
export function LogPanel(props: LogPanelProps): VNode {
  const { title, state, problem, total, count, search } = props;
  const marked = props.hasNumbers ? Number(place.value.query.get("line")) || undefined : undefined;
  const [follows, setFollows] = useState(marked === undefined);
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await props.onDownload().finally(() => setSaving(false));
  };
  return (
    <section class={state === "ended" && total < fewLines ? "card log short" : "card log"} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="faint number" role="status">
          {stateTexts[state]} · {search.trim() === "" ? "" : `${countText(count)} of `}
          {counted(total, "line")}
        </span>
        <span class="grow" />
        <input
          type="search"
          class="input search"
          placeholder="Search in the log"
          aria-label="Search in the log"
          value={search}
          onInput={(event) => props.onSearch(event.currentTarget.value)}
        />
        {state !== "ended" && (
          <label class="check">
            <input
              type="checkbox"
              checked={follows}
              onChange={(event) => setFollows(event.currentTarget.checked)}
            />
            Follow
          </label>
        )}
        <Button
          onClick={() => void save()}
          isBusy={isSaving}
          whyNot={total === 0 ? "There are no lines yet." : undefined}
        >
          <Icon name="download" />
          Download
        </Button>
      </header>
      {problem && <ErrorBox error={problem} />}
      <LogLines
        {...props}
        marked={marked}
        follows={follows && state !== "ended"}
        onScrollUp={() => setFollows(false)}
      />
    </section>
  );
}

interface LogLinesProps extends LogPanelProps {
  /** The number of the line in the address. */
  readonly marked: number | undefined;
  readonly follows: boolean;
  readonly onScrollUp: () => void;
}

function LogLines(props: LogLinesProps): VNode {
  const { count, search, lineAt, onView, hasNumbers, marked, follows, onScrollUp } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows({ count, rowHeight, scroller });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (follows && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [follows, count]);
  const isThere = marked !== undefined && marked <= count && search === "";
  useEffect(() => {
    const box = scroller.current;
    if (!isThere || !box) return;
    const top = (marked - 1) * rowHeight;
    const isInView = top >= box.scrollTop && top + rowHeight <= box.scrollTop + box.clientHeight;
    if (!isInView) box.scrollTop = top - (box.clientHeight - rowHeight) / 2;
    box.scrollIntoView({ block: "nearest" });
  }, [isThere, marked]);
  useEffect(() => {
    if (count > 0) onView?.(first, last);
    // `onView` is not a dependency, because every rendering passes a function that reads the same log.
  }, [first, last, count]);
  return (
    <div
      class="log-lines"
      ref={scroller}
      tabIndex={0}
      role="log"
      aria-label="Lines"
      aria-live="off"
      onWheel={(event) => event.deltaY < 0 && onScrollUp()}
    >
      {count === 0 && <p class="loading">No lines.</p>}
      <div style={{ height: `${virtual.getTotalSize()}px` }}>
        <div style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map(({ index }) => {
            const line = lineAt(index);
            if (!line) return <div key={`empty ${index}`} class="log-line" />;
            return (
              <div
                key={line.n}
                class={`log-line ${line.level ?? ""} ${hasNumbers && line.n === marked ? "found" : ""}`}
                aria-current={hasNumbers && line.n === marked ? "true" : undefined}
              >
                {hasNumbers && <LineNumber n={line.n} isMarked={line.n === marked} />}
                {line.time && (
                  <span class="when" title={`${line.time.slice(0, 23).replace("T", " ")} UTC`}>
                    {clockTime(line.time)}
                  </span>
                )}
                <span>{line.line}</span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** The number links to the line; a second click removes the mark. */
const LineNumber = ({ n, isMarked }: { n: number; isMarked: boolean }): VNode => (
  <button
    type="button"
    class="n"
    tabIndex={-1}
    title={isMarked ? "Remove the mark" : "Mark this line: then the address of the page leads to it"}
    onClick={() => setQuery({ line: isMarked ? undefined : String(n) })}
  >
    {n}
  </button>
);

export function saveText(parts: readonly string[], name: string): void {
  saveFile(name, parts);
}
