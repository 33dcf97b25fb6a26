import type { TableAlteration } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { type CatalogTable, fullName, refreshCatalog } from "../../data/catalog.ts";
import { Button } from "../../ui/button.tsx";
import { CheckBox } from "../../ui/check-box.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/toasts.tsx";

type TableChange = Parameters<typeof api.planTableAlteration>[0]["body"]["changes"][number];
type ChangeKind = TableChange["change"];

const kinds: readonly { readonly value: ChangeKind; readonly text: string }[] = [
  { value: "set_type", text: "Change its type" },
  { value: "rename", text: "Rename it" },
  { value: "move", text: "Move it" },
  { value: "drop", text: "Drop it" },
];

interface AlterDialogProps {
  readonly environment: string;
  readonly table: CatalogTable;
  readonly onClose: () => void;
}

/** One change of a column. Its plan is shown before anything changes. */
export function AlterDialog({ environment, table, onClose }: AlterDialogProps): VNode {
  const names = table.columns.map(({ name }) => name);
  const [column, setColumn] = useState(names[0] ?? "");
  const [kind, setKind] = useState<ChangeKind>("set_type");
  const [value, setValue] = useState("");
  const [plan, setPlan] = useState<TableAlteration | undefined>();
  const [isForced, setForced] = useState(false);
  /** An edit discards the plan, because the plan is for the former input. */
  const edit =
    <Value,>(set: (value: Value) => void) =>
    (next: Value) => {
      set(next);
      setPlan(undefined);
      setForced(false);
    };
  const body = { table: fullName(table), changes: [changeOf(kind, column, value)] };
  const planning = useAction(async () => {
    setPlan(await api.planTableAlteration({ body, environment }));
  });
  const apply = useAction(async () => {
    if (!plan) return;
    await api.alterTable({ body: { ...body, force: isForced, digest: plan.digest }, environment });
    refreshCatalog();
    notify(`The columns of ${table.name} are changed.`);
    onClose();
  });
  const others = names.filter((name) => name !== column);
  return (
    <FormDialog
      title={`Alter ${table.name}`}
      onClose={onClose}
      action={apply}
      submit="Apply"
      kind={kind === "drop" ? "danger" : "primary"}
      whyNot={whyNotApply(plan, isForced)}
    >
      <Field
        label="Column"
        value={column}
        onInput={edit(setColumn)}
        options={names.map((name) => ({ value: name, text: name }))}
      />
      <Field
        label="Change"
        value={kind}
        onInput={edit((next: string) => {
          setKind(next as ChangeKind);
          setValue("");
        })}
        options={kinds}
      />
      {kind === "set_type" && (
        <Field
          label="New type"
          value={value}
          onInput={edit(setValue)}
          hint="BIGINT, DECIMAL(12,2), STRING …"
        />
      )}
      {kind === "rename" && <Field label="New name" value={value} onInput={edit(setValue)} />}
      {kind === "move" && (
        <Field
          label="Place"
          value={value}
          onInput={edit(setValue)}
          options={[
            { value: "", text: "First" },
            ...others.map((name) => ({ value: name, text: `After ${name}` })),
          ]}
        />
      )}
      <Button
        onClick={() => void planning.run()}
        isBusy={planning.isRunning}
        whyNot={(kind === "set_type" || kind === "rename") && value === "" ? "Enter a value." : undefined}
      >
        Show the plan
      </Button>
      {planning.error && <ErrorBox error={planning.error} />}
      {plan && <PlanOfAlteration {...plan} />}
      {plan?.breaking && plan.problems.length === 0 && (
        <CheckBox
          label="Change it although something depends on it"
          isChecked={isForced}
          onChange={setForced}
        />
      )}
    </FormDialog>
  );
}

function changeOf(change: ChangeKind, column: string, value: string): TableChange {
  if (change === "set_type") return { change, column, type: value };
  if (change === "rename") return { change, column, name: value };
  return change === "drop" ? { change, column } : { change, column, after: value === "" ? null : value };
}

function whyNotApply(plan: TableAlteration | undefined, isForced: boolean): string | undefined {
  if (!plan) return "Look at the plan first.";
  if (plan.problems.length > 0) return "The plan has problems.";
  if (plan.changes.length === 0) return "Nothing would change.";
  return plan.breaking && !isForced ? "Confirm what depends on it." : undefined;
}

const PlanOfAlteration = ({ changes, writers, readers, problems }: TableAlteration): VNode => (
  <section class="stack tight" aria-label="Plan">
    {changes.length === 0 && <p>Nothing changes: the table has these columns already.</p>}
    <ul>
      {changes.map((text) => (
        <li key={text}>{text}</li>
      ))}
      {writers
        .filter(({ level }) => level !== "refused")
        .map(({ kind, name, sentence }) => (
          <li key={sentence}>
            <strong>
              {kind} {name}
            </strong>{" "}
            {sentence}
          </li>
        ))}
      {readers.map(({ kind, name, via }) => (
        <li key={`${kind} ${name}`}>
          <strong>
            {kind} {name}
          </strong>{" "}
          {via}
        </li>
      ))}
    </ul>
    {problems.length > 0 && (
      <div class="error-box" role="alert">
        {problems.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    )}
  </section>
);
