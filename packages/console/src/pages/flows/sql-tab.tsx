import type { Flow } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { place, setQuery } from "../../app/router.ts";
import { setFlow } from "../../data/flows.ts";
import { Button } from "../../ui/button.tsx";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { notify } from "../../ui/toasts.tsx";
import { type SqlField, sqlFields, sqlProblems } from "./sql-problems.ts";

/** The SELECTs of a flow. The server validates them when they are saved, and each error is shown at its location. */
export function SqlTab({ flow, whyNot }: { flow: Flow; whyNot: string | undefined }): VNode {
  const { definition } = flow;
  const [drafts, setDrafts] = useState<Partial<Record<SqlField, string>>>({});
  const shown = sqlFields.filter(({ id }) => definition[id] !== undefined);
  const field = shown.find(({ id }) => id === place.value.query.get("statement"))?.id ?? "matched_sql";
  const isChanged = shown.some(({ id }) => drafts[id] !== undefined && drafts[id] !== definition[id]);
  const save = useAction(async () => {
    setFlow(await api.updateFlow({ params: { flow_id: flow.id }, body: { ...definition, ...drafts } }));
    setDrafts({});
    notify(`${flow.name} is saved.`);
  });
  const problems = useMemo(() => sqlProblems(save.error, field), [save.error, field]);
  return (
    <>
      {shown.length > 1 && (
        <div class="toolbar">
          <select
            class="input"
            aria-label="Statement"
            value={field}
            onChange={(event) => setQuery({ statement: event.currentTarget.value })}
          >
            {shown.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </div>
      )}
      <CodeEditor
        key={field}
        class="tall"
        label={field}
        language="sql"
        value={drafts[field] ?? definition[field] ?? ""}
        onInput={(text) => setDrafts((before) => ({ ...before, [field]: text }))}
        onSubmit={() => isChanged && void save.run()}
        problems={problems}
        isReadOnly={whyNot !== undefined}
      />
      {save.error && <ErrorBox error={save.error} />}
      <div class="source-foot">
        <p class="faint grow">{isChanged ? "Not saved yet." : "The next run uses this SQL."}</p>
        {isChanged && (
          <Button
            kind="quiet"
            onClick={() => {
              setDrafts({});
              save.clear();
            }}
          >
            Discard
          </Button>
        )}
        <Button
          kind="primary"
          onClick={() => void save.run()}
          isBusy={save.isRunning}
          whyNot={whyNot ?? (isChanged ? undefined : "Nothing has changed.")}
        >
          Save
        </Button>
      </div>
    </>
  );
}
