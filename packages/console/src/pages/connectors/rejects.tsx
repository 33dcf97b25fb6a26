import type { Connector, endpoints } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useAction, useQuery } from "../../app/queries.ts";
import { hrefOf, navigate } from "../../app/router.ts";
import { count, counted } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loading } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

type Reject = ClientResult<typeof endpoints.listRejects>["rejects"][number];

const columnsWith = (open: (reject: Reject) => void): readonly Column<Reject>[] => [
  { title: "Table", width: "minmax(140px, 1fr)", cell: ({ target_name }) => target_name },
  {
    title: "Reason",
    width: "minmax(220px, 2fr)",
    cell: (reject) => (
      <button type="button" class="cause clip as-text" title={reject.reason} onClick={() => open(reject)}>
        {reject.reason}
      </button>
    ),
  },
  {
    title: "Row",
    width: "minmax(220px, 2fr)",
    cell: ({ row }) => (
      <span class="mono" title={JSON.stringify(row, null, 2)}>
        {JSON.stringify(row)}
      </span>
    ),
  },
  {
    title: "Run",
    width: "120px",
    cell: ({ run_id, time }) => (
      <a href={hrefOf(`/runs/${run_id}`)}>
        <Time at={time} />
      </a>
    ),
  },
];

/** Rows that the target did not accept, with the reason of each. */
export function Rejects({ connector, whyNot }: { connector: Connector; whyNot: string | undefined }): VNode {
  const params = { connector_id: connector.id };
  const { data, error, refresh } = useQuery({
    key: ["rejects", connector.id],
    read: (signal) => api.listRejects({ params, query: { limit: 1000 }, signal }),
    on: [{ kind: "run.*" }],
  });
  const [opened, setOpened] = useState<Reject | undefined>();
  const retry = useAction(async () => {
    const run = await api.retryRejects({ params, idempotencyKey: crypto.randomUUID() });
    navigate(`/runs/${run.id}`);
  });
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the rejected rows" />;
  if (data.rejects.length === 0) {
    return <EmptyState title="No row was rejected">Every row that was read is in its table.</EmptyState>;
  }
  return (
    <>
      <div class="toolbar">
        <span class="soft number">
          {counted(data.total, "row")} {data.total === 1 ? "was" : "were"} not accepted.
          {data.total > data.rejects.length && ` These are the newest ${count(data.rejects.length)}.`}
        </span>
        <Button onClick={() => void retry.run()} isBusy={retry.isRunning} whyNot={whyNot}>
          <Icon name="retry" />
          Retry them
        </Button>
      </div>
      {retry.error && <ErrorBox error={retry.error} />}
      <Table
        label="Rejected rows"
        columns={columnsWith(setOpened)}
        rows={data.rejects}
        keyOf={({ id }) => id}
      />
      {opened && (
        <Dialog
          title={`Rejected row of ${opened.target_name}`}
          onClose={() => setOpened(undefined)}
          footer={<Button onClick={() => setOpened(undefined)}>Close</Button>}
        >
          <p class="cause">{opened.reason}</p>
          <pre class="reject-row" tabIndex={0}>
            {JSON.stringify(opened.row, null, 2)}
          </pre>
        </Dialog>
      )}
    </>
  );
}
