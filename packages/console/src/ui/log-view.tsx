import type { RunLine } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { followRunLog } from "../data/run-log.ts";
import { counted, count as countText } from "../format/number.ts";
import { clockTime } from "../format/time.ts";
import { Button } from "./button.tsx";
import { ErrorBox } from "./error-box.tsx";
import { Icon } from "./icons.tsx";
import { useVirtualRows } from "./virtual.ts";

const rowHeight = 18;

/** The log of a run as it is written: follow, search, download. */
export function LogView({ runId, name }: { runId: string; name: string }): VNode {
  const lines = useRef<RunLine[]>([]);
  const [count, setCount] = useState(0);
  const [state, setState] = useState<"following" | "ended" | "reconnecting">("following");
  const [problem, setProblem] = useState<Error | undefined>();
  const [text, setText] = useState("");
  const [follows, setFollows] = useState(true);
  useEffect(() => {
    const controller = new AbortController();
    lines.current = [];
    const onLines = (added: readonly RunLine[]) => {
      for (const line of added) lines.current.push(line);
      setCount(lines.current.length);
    };
    followRunLog(runId, { onLines, onState: setState }, controller.signal).catch(setProblem);
    return () => controller.abort();
  }, [runId]);
  const wanted = text.trim().toLowerCase();
  const shown = useMemo(
    () =>
      wanted === "" ? lines.current : lines.current.filter(({ line }) => line.toLowerCase().includes(wanted)),
    [wanted, count],
  );
  const save = () => {
    const whole = lines.current.map(({ time, level, line }) => `${time} ${level} ${line}\n`);
    const url = URL.createObjectURL(new Blob(whole, { type: "text/plain" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: `${name}-${runId}.log` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1_000);
  };
  const stateText = { following: "Following", ended: "Complete", reconnecting: "Reconnecting…" }[state];
  return (
    <section class="card log" aria-label="Log">
      <header>
        <h2>Log</h2>
        <span class="faint number" role="status">
          {stateText} · {wanted === "" ? "" : `${countText(shown.length)} of `}
          {counted(count, "line")}
        </span>
        <span class="grow" />
        <input
          type="search"
          class="input search"
          placeholder="Search in the log"
          aria-label="Search in the log"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={follows}
            onChange={(event) => setFollows(event.currentTarget.checked)}
          />
          Follow
        </label>
        <Button onClick={save} whyNot={count === 0 ? "There are no lines yet." : undefined}>
          <Icon name="download" />
          Download
        </Button>
      </header>
      {problem && <ErrorBox error={problem} />}
      <LogLines lines={shown} follows={follows && state !== "ended"} onScrollUp={() => setFollows(false)} />
    </section>
  );
}

interface LogLinesProps {
  readonly lines: readonly RunLine[];
  readonly follows: boolean;
  readonly onScrollUp: () => void;
}

/** Any number of lines: only those in view are in the page. */
function LogLines({ lines, follows, onScrollUp }: LogLinesProps): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows({ count: lines.length, rowHeight, scroller });
  const items = virtual.getVirtualItems();
  const first = items[0]?.start ?? 0;
  useEffect(() => {
    if (follows && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [follows, lines.length]);
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
      {lines.length === 0 && <p class="loading">No lines.</p>}
      <div style={{ height: `${virtual.getTotalSize()}px` }}>
        <div style={{ transform: `translateY(${first}px)` }}>
          {items.map(({ index }) => {
            const line = lines[index] as RunLine;
            return (
              <div key={line.n} class={`log-line ${line.level}`}>
                <span class="n">{line.n}</span>
                <span class="when" title={`${line.time.slice(0, 23).replace("T", " ")} UTC`}>
                  {clockTime(line.time)}
                </span>
                <span>{line.line}</span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
