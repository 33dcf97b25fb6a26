import type { Connector, endpoints } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import type { VNode } from "preact";
import { api } from "../../../app/client.ts";
import { useQuery } from "../../../app/queries.ts";
import { count } from "../../../format/number.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { Loading } from "../../../ui/page.tsx";

type Preview = ClientResult<typeof endpoints.previewConnector>["datasets"][number];

interface PreviewStepProps {
  readonly connector: Connector;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/** Shows what the first run would do. Nothing is written. */
export function PreviewStep({ connector, onBack, onNext }: PreviewStepProps): VNode {
  const { data, error, refresh } = useQuery({
    key: ["preview", connector.id, connector.updated_at, connector.datasets?.map(({ id }) => id)],
    read: (signal) =>
      api.previewConnector({ params: { connector_id: connector.id }, signal, timeoutMs: 300_000 }),
  });
  return (
    <section class="stack" aria-label="Preview">
      <p class="soft">This is what the first run would do. Nothing has been written yet.</p>
      {!data && !error && <Loading what="rows and comparing them" />}
      {error && <ErrorBox error={error} retry={refresh} />}
      {data?.datasets.map((preview) => (
        <DatasetPreview key={preview.dataset_id} preview={preview} />
      ))}
      <div class="row">
        <Button onClick={onBack}>Back</Button>
        <Button
          kind="primary"
          onClick={onNext}
          whyNot={data ? undefined : "Continue when the preview is there."}
        >
          Set the schedule
        </Button>
      </div>
    </section>
  );
}

const shownColumns = 12;

function DatasetPreview({ preview }: { preview: Preview }): VNode {
  const { source_dataset, target_name, samples, warnings, schema, rejects } = preview;
  const names = [...new Set(samples.flatMap(({ row }) => Object.keys(row)))].slice(0, shownColumns);
  return (
    <section class="card">
      <header>
        <h2>
          {source_dataset} → {target_name}
        </h2>
        <span class="soft number">
          {count(preview.insert)} to insert, {count(preview.update)} to update, {count(preview.delete)} to
          delete, {count(preview.unchanged)} unchanged
        </span>
        {preview.rejected > 0 && <span class="cause number">{count(preview.rejected)} rejected</span>}
      </header>
      {[...schema, ...warnings, ...rejects.map(({ reason }) => reason)].map((text) => (
        <p key={text} class="body soft">
          {text}
        </p>
      ))}
      {samples.length > 0 && (
        <div class="samples" tabIndex={0} role="region" aria-label={`Sample rows of ${source_dataset}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Action</th>
                {names.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {samples.map(({ action, row }, at) => (
                <tr key={`${action} ${at}`}>
                  <td class="soft">{action}</td>
                  {names.map((name) => (
                    <td key={name}>{textOf(row[name])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
