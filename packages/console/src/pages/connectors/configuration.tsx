import type { Connector, Event } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { parse, stringify } from "yaml";
import { api } from "../../app/client.ts";
import { queryClient, useAction, useQuery } from "../../app/queries.ts";
import { hrefOf } from "../../app/router.ts";
import { TextDiff } from "../../diff/text-diff.tsx";
import { counted } from "../../format/number.ts";
import { localTime } from "../../format/time.ts";
import { Button } from "../../ui/button.tsx";
import { Changes } from "../../ui/changes.tsx";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { isMap } from "../../ui/value-shape.ts";
import { changesOf as changesIn } from "../events/texts.ts";
import { changesOf, definitionOf } from "./definition.ts";

interface ConfigurationProps {
  readonly connector: Connector;
  readonly whyNot: string | undefined;
}

/** The settings as YAML that can be edited, and the history of changes. */
export function Configuration({ connector, whyNot }: ConfigurationProps): VNode {
  const stored = stringify(definitionOf(connector));
  /** The edited text, and the text before the edit: only the user's changes are sent. */
  const [draft, setDraft] = useState<{ readonly text: string; readonly from: string } | undefined>();
  const save = useAction(async () => {
    try {
      await saveDefinition(connector, parse(draft?.text ?? ""));
      setDraft(undefined);
      notify(`${connector.name} was changed.`);
    } catch (error) {
      // A part of the changes may be saved, so the rest is compared with the current state.
      const now = queryClient.getQueryData<Connector>(["connector", connector.id]) ?? connector;
      setDraft((before) => before && { ...before, from: stringify(definitionOf(now)) });
      throw error;
    }
  });
  const isOld = draft !== undefined && draft.from !== stored;
  return (
    <>
      <div class="toolbar">
        {draft === undefined ? (
          <Button onClick={() => setDraft({ text: stored, from: stored })} whyNot={whyNot}>
            Edit
          </Button>
        ) : (
          <>
            <Button
              kind="primary"
              onClick={() => void save.run()}
              isBusy={save.isRunning}
              whyNot={
                isOld
                  ? "It was changed meanwhile. Discard your changes and edit again."
                  : draft.text === stored
                    ? "Nothing is changed."
                    : undefined
              }
            >
              Save
            </Button>
            <Button
              onClick={() => {
                setDraft(undefined);
                save.clear();
              }}
            >
              Discard changes
            </Button>
          </>
        )}
        <span class="faint">
          All settings of the connector and its tables. A secret that is shown as <code>********</code> stays
          as it is.
        </span>
      </div>
      {save.error && <ErrorBox error={save.error} />}
      <div class="columns grow-columns">
        <CodeEditor
          label="Configuration as YAML"
          language="yaml"
          value={draft?.text ?? stored}
          onInput={(text) => setDraft((before) => before && { ...before, text })}
          isReadOnly={draft === undefined}
          class="tall"
        />
        {draft === undefined ? (
          <History id={connector.id} />
        ) : (
          <section class="card" aria-labelledby="changes">
            <header>
              <h2 id="changes">Changes</h2>
            </header>
            <div class="body">
              <TextDiff label="Changes" before={stored} after={draft.text} />
            </div>
          </section>
        )}
      </div>
    </>
  );
}

async function saveDefinition(connector: Connector, definition: unknown): Promise<void> {
  if (!isMap(definition)) throw new Error("Write settings, each as name: value.");
  const { connector: body, removed, changed, added } = changesOf(connector, definition);
  const params = { connector_id: connector.id };
  try {
    if (body) await api.updateConnector({ params, body });
    for (const { id } of removed) await api.removeDataset({ params: { ...params, dataset_id: id } });
    for (const { id, body } of changed)
      await api.updateDataset({ params: { ...params, dataset_id: id }, body });
    for (const body of added) await api.addDataset({ params, body });
  } finally {
    await queryClient.invalidateQueries({ queryKey: ["connector", connector.id] });
  }
}

/** Events about the rows that a run moved are on the run's page. */
const isChange = ({ kind }: Event) => kind !== "connector.moved";

function History({ id }: { id: string }): VNode {
  const subject = `connector/${id}`;
  const { data, error, refresh } = useQuery({
    key: ["history", subject],
    read: (signal) => api.readEvents({ query: { subject, sort: "-created", limit: 500 }, signal }),
    on: [{ kind: "connector.*", subject }],
  });
  return (
    <section class="card" aria-labelledby="history">
      <header>
        <h2 id="history">History</h2>
        <span class="grow" />
        <a href={hrefOf(`/events?subject=${encodeURIComponent(subject)}`)}>All events</a>
      </header>
      {error && <ErrorBox error={error} retry={refresh} />}
      {!data && !error && <Loading what="the history" />}
      <ol class="items history">
        {data?.events.filter(isChange).map((event) => (
          <li key={event.id}>
            <div class="row">
              <strong>{event.kind.slice(event.kind.indexOf(".") + 1).replaceAll("_", " ")}</strong>
              <span class="soft clip">{detailOf(event)}</span>
              <span class="grow" />
              <span class="faint">
                <Time at={event.time} />
              </span>
            </div>
            <span class="faint">by {event.actor}</span>
            <ChangedFields event={event} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The values before and after, collapsed under the names of the fields. */
function ChangedFields({ event }: { event: Event }): VNode | null {
  const changes = changesIn(event);
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>{counted(changes.length, "changed field")}</summary>
      <Changes label={`Changes at ${localTime(event.time)}`} changes={changes} />
    </details>
  );
}

/** The names of the changed fields, or the reason for the change. */
function detailOf({ data }: Event): string {
  if (Array.isArray(data.fields)) return data.fields.join(", ");
  const detail = data.reason ?? data.target_name ?? data.error;
  return typeof detail === "string" ? detail : "";
}
