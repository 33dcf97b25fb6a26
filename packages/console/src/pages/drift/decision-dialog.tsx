import type { Drift } from "@lakehelm/contract";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import { refreshDrift } from "../../data/drift.ts";
import { Changes } from "../../ui/changes.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { notify } from "../../ui/toasts.tsx";

export interface Decision {
  readonly drift: Drift;
  readonly what: "adopt" | "revert";
}

/** Shows what will change before a difference is reverted or adopted. */
export function DecisionDialog({ drift, what, onClose }: Decision & { readonly onClose: () => void }): VNode {
  const params = { drift_id: drift.id };
  const perform = async () => {
    const { message } = await (what === "revert" ? api.revertDrift({ params }) : api.adoptDrift({ params }));
    refreshDrift();
    notify(message);
  };
  const isRevert = what === "revert";
  return (
    <ConfirmDialog
      title={`${isRevert ? "Revert" : "Adopt"} ${drift.field ?? "the deletion"} of ${drift.name}?`}
      confirm={isRevert ? "Revert" : "Adopt"}
      kind={isRevert ? "danger" : "primary"}
      onClose={onClose}
      perform={perform}
    >
      <p>{consequence(drift, isRevert)}</p>
      {drift.field !== null && (
        <Changes
          label="What changes"
          changes={[
            isRevert
              ? { path: drift.field, before: drift.live, after: drift.declared }
              : { path: drift.field, before: drift.declared, after: drift.live },
          ]}
          before={isRevert ? "Live" : "Declared"}
          after={isRevert ? "After the revert" : "After the adoption"}
        />
      )}
    </ConfirmDialog>
  );
}

function consequence({ change, seen_in, kind }: Drift, isRevert: boolean): string {
  if (!isRevert) return `The definition of the ${kind} is changed to what is there now.`;
  if (change === "gone") return `The ${kind} is created again as it was declared.`;
  return seen_in === "project"
    ? `The whole ${kind} is put back as the project applied it.`
    : `The ${kind} is put back on the platform as it was declared.`;
}
