import type { ServerSetting } from "@lakehelm/contract";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { useQuery } from "../../app/queries.ts";
import { place } from "../../app/router.ts";
import { Card } from "../../ui/card.tsx";
import { CodeText } from "../../ui/code-text.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FilterSelect } from "../../ui/filter-select.tsx";
import { Loading } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const columns: readonly Column<ServerSetting>[] = [
  {
    title: "Setting",
    width: "minmax(220px, 1.3fr)",
    cell: ({ name, description }) => (
      <code class="plain" title={description}>
        {name}
      </code>
    ),
  },
  {
    title: "Value",
    width: "minmax(140px, 1fr)",
    cell: ({ value, is_secret, is_set }) =>
      is_secret ? <span class="faint">{is_set ? "set, hidden" : "not set"}</span> : (value ?? "–"),
  },
  {
    title: "Default",
    width: "minmax(120px, 0.8fr)",
    cell: (setting) => <span class="faint">{setting.default ?? "–"}</span>,
  },
  {
    title: "Source",
    width: "120px",
    cell: ({ source }) => <Status value={source} />,
  },
  {
    title: "Meaning",
    width: "minmax(200px, 2fr)",
    cell: ({ description }) => (
      <span class="soft" title={description}>
        <CodeText text={description} />
      </span>
    ),
  },
];

/** The settings of the server that answers the request. */
export function EffectiveSettings(): VNode {
  const why = whyNot("admin");
  const { data, error, refresh } = useQuery({
    key: ["server settings"],
    read: (signal) => api.listSettings({ signal }),
    enabled: why === undefined,
  });
  const source = place.value.query.get("source");
  const rows = data?.settings.filter((setting) => !source || setting.source === source) ?? [];
  return (
    <Card title="Settings of the server">
      {why ? (
        <EmptyState title="You cannot see the settings here">{why}</EmptyState>
      ) : (
        <>
          {error && <ErrorBox error={error} retry={refresh} />}
          {!data && !error && <Loading what="the settings" />}
          {data && (
            <>
              <div class="toolbar">
                <FilterSelect
                  name="source"
                  label="Source"
                  any="All settings"
                  options={[
                    { value: "environment", text: "Set in the environment" },
                    { value: "default", text: "Defaults" },
                  ]}
                />
              </div>
              <Table label="Settings" columns={columns} rows={rows} keyOf={({ name }) => name} isAuto />
            </>
          )}
        </>
      )}
    </Card>
  );
}
