import type { PlanStep } from "@lakehelm/contract";
import type { VNode } from "preact";
import { hrefOf, place } from "../../app/router.ts";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const tones: Readonly<Record<PlanStep["action"], string>> = {
  create: "good",
  update: "busy",
  replace: "warn",
  delete: "bad",
  none: "",
};

const columnsOf = (current: number | undefined): readonly Column<PlanStep>[] => [
  { title: "No.", width: "48px", cell: ({ position }) => <span class="faint number">{position}</span> },
  {
    title: "Action",
    width: "80px",
    cell: ({ action }) => <span class={`action ${tones[action]}`}>{action}</span>,
  },
  {
    title: "Resource",
    width: "minmax(180px, 1.3fr)",
    cell: ({ position, kind, name }) => (
      <a class="plain" href={stepHref(position)} aria-current={position === current ? "true" : undefined}>
        <span class="faint">{kind}</span> {name}
      </a>
    ),
  },
  {
    title: "Fields",
    width: "minmax(140px, 1.2fr)",
    cell: ({ action, changes }) => {
      const text = action === "update" ? changes.map(({ path }) => path).join(", ") : "";
      return (
        <span class="soft" title={text}>
          {text}
        </span>
      );
    },
  },
  { title: "Affects", width: "110px", cell: ({ impact }) => <span class="soft">{affected(impact)}</span> },
  {
    title: "Status",
    width: "104px",
    cell: ({ status, error }) => <Status value={status} title={error ?? undefined} />,
  },
];

const affected = (impact: PlanStep["impact"]) => {
  if (!impact) return "";
  if (impact.data_lost.length > 0) return <span class="cause">loses data</span>;
  return impact.downstream_total > 0 ? `${impact.downstream_total} downstream` : "";
};

/** The address of the plan with this step open. */
const stepHref = (position: number) => hrefOf(`${place.value.path}?step=${position}`);

interface StepsProps {
  readonly steps: readonly PlanStep[];
  /** The position of the step whose details are shown. */
  readonly current: number | undefined;
}

/** The steps in order. Choosing a step shows its details. */
export function Steps({ steps, current }: StepsProps): VNode {
  return (
    <Table
      label="Steps"
      columns={columnsOf(current)}
      rows={steps}
      keyOf={({ position }) => String(position)}
      isAuto
    />
  );
}
