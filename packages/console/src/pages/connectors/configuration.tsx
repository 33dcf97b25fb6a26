import type { Connector, Event } from "@lakehelm/contract";
import type { VNode } from "preact";
import { stringify } from "yaml";
import { api } from "../../app/client.ts";
import { useQuery } from "../../app/queries.ts";
import { counted } from "../../format/number.ts";
import { localTime } from "../../format/time.ts";
import { Changes } from "../../ui/changes.tsx";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { changesOf } from "../events/texts.ts";

/** The definition alone: without what the server adds and what runs change. */
function definitionOf(connector: Connector): Record<string, unknown> {
  const { name, target_type, target_config, execution_mode, schedule_cron, policy, datasets } = connector;
  const given = {
    name,
    target_type,
    target_config,
    execution_mode,
    schedule_cron,
    table_update_config: connector.table_update_config,
    file_arrival_config: connector.file_arrival_config,
    policy,
    datasets: datasets?.map(({ source_dataset, target_name, primary_keys, write_strategy, custom_config }) =>
      withoutNulls({ source_dataset, target_name, primary_keys, write_strategy, custom_config }),
    ),
  };
  return withoutNulls(given);
}

const withoutNulls = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

/** What it is set to, as YAML, and who has changed what. */
export function Configuration({ connector }: { connector: Connector }): VNode {
  return (
    <div class="columns grow-columns">
      <CodeEditor
        label="Configuration as YAML"
        language="yaml"
        value={stringify(definitionOf(connector))}
        isReadOnly
        class="tall"
      />
      <History id={connector.id} />
    </div>
  );
}

function History({ id }: { id: string }): VNode {
  const subject = `connector/${id}`;
  const { data, error, refresh } = useQuery({
    key: ["history", subject],
    read: (signal) => api.readEvents({ query: { subject, sort: "-created", limit: 100 }, signal }),
    on: [{ kind: "connector.*", subject }],
  });
  return (
    <section class="card" aria-labelledby="history">
      <header>
        <h2 id="history">History</h2>
      </header>
      {error && <ErrorBox error={error} retry={refresh} />}
      {!data && !error && <Loading what="the history" />}
      <ol class="items history">
        {data?.events.map((event) => (
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

/** The values before and after, behind the names of the fields. */
function ChangedFields({ event }: { event: Event }): VNode | null {
  const changes = changesOf(event);
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>{counted(changes.length, "changed field")}</summary>
      <Changes label={`Changes at ${localTime(event.time)}`} changes={changes} />
    </details>
  );
}

/** The fields that were changed, or why. */
function detailOf({ data }: Event): string {
  if (Array.isArray(data.fields)) return data.fields.join(", ");
  const detail = data.reason ?? data.target_name ?? data.error;
  return typeof detail === "string" ? detail : "";
}
