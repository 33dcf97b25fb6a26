import type { Drift } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { environmentNameOf, whyNot } from "../../app/permissions.ts";
import { useAction } from "../../app/queries.ts";
import { environmentName, hrefOf, place } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { refreshDrift, useDrift } from "../../data/drift.ts";
import { pathOfSubject } from "../../data/targets.ts";
import { counted } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { textOf } from "../../ui/changes.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FilterSelect, filterValue } from "../../ui/filter-select.tsx";
import { Icon } from "../../ui/icons.tsx";
import { ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { type Decision, DecisionDialog } from "./decision-dialog.tsx";

const kinds: readonly Drift["kind"][] = ["connector", "pipeline", "flow", "automation", "agent", "app"];

const shown = (value: unknown) => (value === null || value === undefined ? "none" : textOf(value));

function columnsOf(decide: (decision: Decision) => void): readonly Column<Drift>[] {
  return [
    {
      title: "Resource",
      width: "minmax(190px, 1.4fr)",
      cell: ({ resource, kind, name }) => {
        const path = pathOfSubject(resource, name);
        return (
          <>
            <span class="faint">{kind}</span>{" "}
            {path ? (
              <a class="plain" href={hrefOf(path)}>
                {name}
              </a>
            ) : (
              name
            )}
          </>
        );
      },
    },
    { title: "Environment", width: "100px", cell: (drift) => environmentNameOf(drift.environment_id) },
    {
      title: "Field",
      width: "minmax(120px, 1fr)",
      cell: ({ field, change }) =>
        change === "gone" ? <span class="cause">deleted</span> : <span class="mono">{field}</span>,
    },
    {
      title: "Declared",
      width: "minmax(90px, 1fr)",
      cell: ({ declared, change }) => (change === "gone" ? "" : <Value text={shown(declared)} />),
    },
    {
      title: "Live",
      width: "minmax(90px, 1fr)",
      cell: ({ live, change }) => (change === "gone" ? "" : <Value text={shown(live)} />),
    },
    { title: "Since", width: "92px", cell: ({ since }) => <Time at={since} /> },
    {
      title: "Changed by",
      width: "minmax(110px, 0.8fr)",
      cell: ({ changed_by, seen_in }) =>
        changed_by ?? (
          <span class="faint" title="The platform does not say who changed it.">
            {seen_in === "platform" ? "on the platform" : "unknown"}
          </span>
        ),
    },
    {
      title: "Decide",
      width: "162px",
      isPinned: true,
      cell: (drift) => (
        <span class="row">
          <Button
            onClick={() => decide({ drift, what: "revert" })}
            whyNot={whyNot("operator", drift.environment_id)}
            label={`Revert ${drift.field ?? drift.name}`}
          >
            Revert
          </Button>
          <Button
            onClick={() => decide({ drift, what: "adopt" })}
            whyNot={whyNot("operator", drift.environment_id) ?? drift.adopt_problem ?? undefined}
            label={`Adopt ${drift.field ?? drift.name}`}
          >
            Adopt
          </Button>
        </span>
      ),
    },
  ];
}

const Value = ({ text }: { text: string }): VNode => (
  <span class="mono" title={text}>
    {text}
  </span>
);

export default function DriftPage(): VNode {
  const search = place.value.query.get("search") ?? undefined;
  const kind = filterValue("kind", kinds);
  const { data, error, isLoading, refresh } = useDrift({ environment: environmentName.value, kind, search });
  const [decision, setDecision] = useState<Decision | undefined>();
  const check = useAction(checkNow);
  return (
    <PageLayout
      title="Drift"
      isFull
      actions={
        <Button onClick={() => void check.run()} isBusy={check.isRunning} whyNot={whyNotCheck()}>
          <Icon name="retry" />
          {check.isRunning ? "Comparing…" : "Check now"}
        </Button>
      }
    >
      <ListToolbar what="differences" total={data?.total}>
        <FilterSelect name="kind" label="Kind" any="Any kind" options={kinds} />
      </ListToolbar>
      {check.error && <ErrorBox error={check.error} />}
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="differences" />}
      {data &&
        (data.drift.length === 0 ? (
          <EmptyState title={search || kind ? "No difference fits these filters" : "There is no drift"}>
            Everything is as it was applied or installed. The server compares every few minutes: what somebody
            changes by hand, on a platform or beside a project, appears here.
          </EmptyState>
        ) : (
          <Table label="Drift" columns={columnsOf(setDecision)} rows={data.drift} keyOf={({ id }) => id} />
        ))}
      {decision && <DecisionDialog {...decision} onClose={() => setDecision(undefined)} />}
    </PageLayout>
  );
}

/** The chosen environment, or all environments that the user may operate. */
function environmentsToCheck(): readonly string[] {
  const chosen = environmentName.value;
  if (chosen !== undefined) return [chosen];
  return (session.value?.environments ?? [])
    .filter(({ is_active, role }) => is_active && (role === "operator" || role === "admin"))
    .map(({ name }) => name);
}

// A check changes nothing, so it is allowed in protected environments.
function whyNotCheck(): string | undefined {
  const names = environmentsToCheck();
  const roles = session.value?.environments ?? [];
  const isAllowed = names.some((name) => {
    const role = roles.find((one) => one.name === name)?.role;
    return role === "operator" || role === "admin";
  });
  return isAllowed
    ? undefined
    : (whyNot("operator", environmentName.value) ?? "There is no active environment.");
}

async function checkNow(): Promise<void> {
  let differences = 0;
  let undecided = 0;
  for (const environment of environmentsToCheck()) {
    const found = await api.checkDrift({ environment });
    differences += found.differences;
    undecided += found.undecided;
  }
  refreshDrift();
  notify(
    `Compared: ${counted(differences, "difference")}.${
      undecided > 0 ? ` ${counted(undecided, "resource")} were being changed: check again later.` : ""
    }`,
  );
}
