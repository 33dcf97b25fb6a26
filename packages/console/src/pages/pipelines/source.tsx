import type { PipelineGraph } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { queryClient, useAction, useQuery } from "../../app/queries.ts";
import { place, setQuery } from "../../app/router.ts";
import { type Pipeline, refreshPipelines } from "../../data/pipelines.ts";
import { counted } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { notify } from "../../ui/toasts.tsx";
import { filePaths } from "./file-paths.ts";

type Problem = PipelineGraph["problems"][number];

interface SourceProps {
  readonly pipeline: Pipeline;
  /** Undefined: the problems are still unknown. */
  readonly problems: readonly Problem[] | undefined;
}

/** The files of the pipeline, with each problem at its location. */
export function Source({ pipeline, problems }: SourceProps): VNode {
  const paths = filePaths(pipeline);
  const wanted = place.value.query.get("file");
  const path = paths.find((one) => one === wanted) ?? problems?.[0]?.path ?? paths[0];
  if (path === undefined)
    return <EmptyState title="It has no SQL file">Its libraries need another platform.</EmptyState>;
  const countOf = (file: string) => (problems ?? []).filter((one) => one.path === file).length;
  return (
    <>
      <div class="toolbar">
        <select
          class="input"
          aria-label="File"
          value={path}
          onChange={(event) => setQuery({ file: event.currentTarget.value, line: undefined })}
        >
          {paths.map((file) => (
            <option key={file} value={file}>
              {file}
              {countOf(file) > 0 && ` (${counted(countOf(file), "problem")})`}
            </option>
          ))}
        </select>
      </div>
      <SourceFile key={path} pipeline={pipeline} path={path} problems={problems} />
    </>
  );
}

function SourceFile({ pipeline, path, problems }: SourceProps & { path: string }): VNode {
  const environment = pipeline.environment_id;
  const [draft, setDraft] = useState<string | undefined>();
  const key = ["file", environment, path];
  const file = useQuery({
    key,
    read: async (signal) =>
      new TextDecoder().decode(await api.getFile({ params: { path }, environment, signal })),
    on: [{ kind: "file.*" }],
  });
  const mine = useMemo(() => (problems ?? []).filter((one) => one.path === path), [problems, path]);
  const save = useAction(async () => {
    if (draft === undefined) return;
    await api.putFile({ params: { path }, body: draft, environment });
    queryClient.setQueryData(key, draft);
    setDraft(undefined);
    refreshPipelines();
    notify(`${path} is saved.`);
  });
  if (file.data === undefined)
    return file.error ? <ErrorBox error={file.error} retry={file.refresh} /> : <Loading what={path} />;
  const why = whyNot("operator", environment);
  const isChanged = draft !== undefined && draft !== file.data;
  return (
    <>
      <CodeEditor
        class="tall"
        label={path}
        language="sql"
        value={draft ?? file.data}
        onInput={setDraft}
        onSubmit={() => void save.run()}
        problems={isChanged ? [] : mine}
        isReadOnly={why !== undefined}
      />
      {save.error && <ErrorBox error={save.error} />}
      <div class="source-foot">
        {isChanged ? (
          <p class="faint grow">Not saved yet. The next update uses what is saved.</p>
        ) : (
          <Problems problems={problems} />
        )}
        {isChanged && (
          <Button kind="quiet" onClick={() => setDraft(undefined)}>
            Discard
          </Button>
        )}
        <Button
          kind="primary"
          onClick={() => void save.run()}
          isBusy={save.isRunning}
          whyNot={why ?? (isChanged ? undefined : "Nothing has changed.")}
        >
          Save
        </Button>
      </div>
    </>
  );
}

function Problems({ problems }: Pick<SourceProps, "problems">): VNode {
  if (!problems) return <p class="note grow">The code is being checked…</p>;
  if (problems.length === 0) return <p class="note good grow">The code has no problem.</p>;
  return (
    <ul class="problem-list grow" aria-label="Problems">
      {problems.map(({ path, line, column, message }) => (
        <li key={`${path} ${line} ${column} ${message}`}>
          <button type="button" class="link" onClick={() => setQuery({ file: path, line: String(line) })}>
            {path}:{line}:{column}
          </button>{" "}
          {message}
        </li>
      ))}
    </ul>
  );
}
