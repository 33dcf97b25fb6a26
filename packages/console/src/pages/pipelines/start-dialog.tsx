import type { PipelineGraph } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useAction } from "../../app/queries.ts";
import type { Pipeline } from "../../data/pipelines.ts";
import { counted } from "../../format/number.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { startUpdate } from "./start-update.ts";
import { shortName } from "./texts.ts";

/** The user can find other tables by searching. */
const mostShown = 200;

interface StartDialogProps {
  readonly pipeline: Pipeline;
  readonly graph: PipelineGraph | undefined;
  readonly onClose: () => void;
}

/** Starts an update of all tables or of chosen tables, optionally as a full refresh. */
export function StartDialog({ pipeline, graph, onClose }: StartDialogProps): VNode {
  const [isFull, setFull] = useState(true);
  const [isChoosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState("");
  const names = useMemo(
    () => [...new Set(graph?.tables.filter(({ kind }) => kind !== "statement").map(({ name }) => name))],
    [graph],
  );
  const start = useAction(async () => {
    const selection = { [isFull ? "full_refresh_selection" : "refresh_selection"]: [...chosen] };
    await startUpdate(pipeline, {
      ...(isChoosing ? selection : { full_refresh: isFull }),
      ...(reason && { reason }),
    });
    onClose();
  });
  const whyNot = isChoosing && chosen.size === 0 ? "Choose a table first." : undefined;
  return (
    <FormDialog
      title={`Refresh ${pipeline.name}`}
      onClose={onClose}
      action={start}
      submit={
        <>
          {isFull ? "Full refresh" : "Refresh"}
          {isChoosing && chosen.size > 0 && ` of ${counted(chosen.size, "table")}`}
        </>
      }
      kind={isFull ? "danger" : "primary"}
      whyNot={whyNot}
    >
      <fieldset class="radios">
        <legend>Tables</legend>
        <label class="check">
          <input type="radio" name="tables" checked={!isChoosing} onChange={() => setChoosing(false)} />
          All tables
        </label>
        <label class="check">
          <input type="radio" name="tables" checked={isChoosing} onChange={() => setChoosing(true)} />
          Chosen tables
        </label>
      </fieldset>
      {isChoosing && <TableChoice names={names} chosen={chosen} onChoose={setChosen} />}
      <label class="check">
        <input type="checkbox" checked={isFull} onChange={() => setFull(!isFull)} />
        Full refresh: empty the tables first
      </label>
      {isFull && (
        <p class="note warn">
          Streams are read from the beginning. Rows that the source no longer has are lost.
        </p>
      )}
      <Field label="Reason" value={reason} onInput={setReason} path="reason" error={start.error} />
    </FormDialog>
  );
}

interface TableChoiceProps {
  readonly names: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

function TableChoice({ names, chosen, onChoose }: TableChoiceProps): VNode {
  const [text, setText] = useState("");
  const found = names.filter((name) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const toggle = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChoose(next);
  };
  return (
    <div class="stack">
      <input
        type="search"
        class="input"
        placeholder="Search tables"
        aria-label="Search tables"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <ul class="choice-list">
        {found.slice(0, mostShown).map((name) => (
          <li key={name}>
            <label class="check" title={name}>
              <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
              {shortName(name)}
            </label>
          </li>
        ))}
      </ul>
      {found.length > mostShown && (
        <p class="faint">{counted(found.length - mostShown, "more table")}: search for them.</p>
      )}
    </div>
  );
}
