import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
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
  /** Number of lines of the whole log, as far as it is known. */
  readonly total: number;
  /** Number of lines to show: all, or those that contain the searched text. */
  readonly count: number;
  /** Undefined while it is read. */
  readonly lineAt: (index: number) => LogLine | undefined;
  /** Called with the first and the last line in view. */
  readonly onView?: (first: number, last: number) => unknown;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly onDownload: () => Promise<unknown>;
  /** Numbers of lines, unless they are positions that mean nothing to a reader. */
  readonly hasNumbers: boolean;
}

const rowHeight = 18;
const stateTexts = { following: "Following", ended: "Complete", reconnecting: "Reconnecting…" };

/** A log of any length: follow, search, download. Only the lines in view are in the page. */
export function LogPanel(props: LogPanelProps): VNode {
  const { title, state, problem, total, count, search } = props;
  const [follows, setFollows] = useState(true);
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await props.onDownload().finally(() => setSaving(false));
  };
  return (
    <section class="card log" aria-label={title}>
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
        <label class="check">
          <input
            type="checkbox"
            checked={follows}
            onChange={(event) => setFollows(event.currentTarget.checked)}
          />
          Follow
        </label>
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
      <LogLines {...props} follows={follows && state !== "ended"} onScrollUp={() => setFollows(false)} />
    </section>
  );
}

interface LogLinesProps extends LogPanelProps {
  readonly follows: boolean;
  readonly onScrollUp: () => void;
}

function LogLines({ count, lineAt, onView, hasNumbers, follows, onScrollUp }: LogLinesProps): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows({ count, rowHeight, scroller });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (follows && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [follows, count]);
  useEffect(() => {
    if (count > 0) onView?.(first, last);
    // Whatever the latest rendering passed: it reads the same log.
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
              <div key={line.n} class={`log-line ${line.level ?? ""}`}>
                {hasNumbers && <span class="n">{line.n}</span>}
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

/** Gives the browser a file. */
export function saveText(parts: readonly string[], name: string): void {
  saveFile(name, parts);
}
