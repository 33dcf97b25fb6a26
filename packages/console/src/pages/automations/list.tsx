import type { Automation, Job } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { environmentNameOf, whyNot } from "../../app/permissions.ts";
import { useAction } from "../../app/queries.ts";
import { environmentName, hrefOf, navigate, place } from "../../app/router.ts";
import { useAutomations, useReleasedJobs } from "../../data/automations.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Icon } from "../../ui/icons.tsx";
import { ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { tasksOf } from "./definition.ts";

interface Row {
  readonly automation: Automation;
  /** One job for each environment in which the automation is released. */
  readonly jobs: readonly Job[];
}

const columns: readonly Column<Row>[] = [
  { title: "Status", width: "122px", cell: ({ jobs }) => <Status value={stateOf(jobs)} /> },
  {
    title: "Name",
    width: "minmax(180px, 1.2fr)",
    cell: ({ automation: { alias } }) => (
      <a class="plain" href={hrefOf(`/automations/${encodeURIComponent(alias)}`)}>
        {alias}
      </a>
    ),
  },
  {
    title: "Description",
    width: "minmax(180px, 2fr)",
    cell: ({ automation: { description, definition } }) => (
      <span class="soft">{description || String(definition?.description ?? "")}</span>
    ),
  },
  { title: "Tasks", width: "64px", isRight: true, cell: ({ automation }) => tasksOf(automation).length },
  {
    title: "Released in",
    width: "minmax(110px, 1fr)",
    cell: ({ jobs }) => (jobs.length === 0 ? <span class="faint">nowhere yet</span> : environmentsOf(jobs)),
  },
  { title: "Last run", width: "118px", cell: ({ jobs }) => <LastRun jobs={jobs} /> },
  { title: "Next", width: "100px", cell: ({ jobs }) => <Time at={nextOf(jobs)} /> },
];

export default function AutomationsPage(): VNode {
  const search = place.value.query.get("search") ?? undefined;
  const { data, error, isLoading, refresh } = useAutomations(search);
  const { data: jobs } = useReleasedJobs(environmentName.value);
  const [isOpen, setOpen] = useState(false);
  const bySubject = Map.groupBy(jobs?.jobs ?? [], ({ subject }) => subject);
  const rows = data?.automations.map((automation) => ({
    automation,
    jobs: bySubject.get(`automation/${automation.id}`) ?? [],
  }));
  const create = (
    <Button kind="primary" whyNot={whyNot("operator")} onClick={() => setOpen(true)}>
      <Icon name="plus" />
      New automation
    </Button>
  );
  return (
    <PageLayout title="Automations" isFull actions={create}>
      <ListToolbar what="automations" total={data?.total} />
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="automations" />}
      {rows &&
        (rows.length === 0 ? (
          <EmptyState title={search ? "No automation fits this search" : "There is no automation yet"}>
            An automation runs connectors, flows, pipelines, SQL, agents and requests in order: by a schedule,
            or when tables or files change.
          </EmptyState>
        ) : (
          <Table
            label="Automations"
            columns={columns}
            rows={rows}
            keyOf={({ automation }) => automation.id}
          />
        ))}
      {isOpen && <NewAutomation onClose={() => setOpen(false)} />}
    </PageLayout>
  );
}

/** The worst state among the environments. */
function stateOf(jobs: readonly Job[]): string {
  if (jobs.length === 0) return "created";
  if (jobs.some(({ failures }) => failures > 0)) return "failing";
  if (jobs.some(({ last_run: last }) => last?.status === "running")) return "running";
  return jobs.every(({ paused }) => paused) ? "paused" : "active";
}

function environmentsOf(jobs: readonly Job[]): string {
  return jobs.map(({ environment_id }) => environmentNameOf(environment_id)).join(", ");
}

const nextOf = (jobs: readonly Job[]): string | null =>
  jobs.flatMap(({ next_at, paused }) => (next_at !== null && !paused ? [next_at] : [])).sort()[0] ?? null;

function LastRun({ jobs }: { jobs: readonly Job[] }): VNode {
  const last = jobs
    .flatMap(({ last_run }) => last_run ?? [])
    .sort((one, other) => (other.ended_at ?? "9").localeCompare(one.ended_at ?? "9"))[0];
  if (!last) return <span class="faint">–</span>;
  return (
    <a class="plain" href={hrefOf(`/runs/${last.id}`)}>
      <Status value={last.status} />
    </a>
  );
}

function NewAutomation({ onClose }: { onClose: () => void }): VNode {
  const [alias, setAlias] = useState("");
  const [description, setDescription] = useState("");
  const create = useAction(async () => {
    await api.createAutomation({ body: { alias, description }, idempotencyKey: crypto.randomUUID() });
    onClose();
    navigate(`/automations/${encodeURIComponent(alias)}?tab=definition`);
  });
  return (
    <FormDialog title="New automation" onClose={onClose} action={create} submit="Create">
      <Field
        label="Name"
        value={alias}
        onInput={setAlias}
        path="alias"
        error={create.error}
        placeholder="orders-daily"
        hint="Unique. It is used in addresses and never changes."
      />
      <Field
        label="Description"
        value={description}
        onInput={setDescription}
        path="description"
        error={create.error}
      />
    </FormDialog>
  );
}
