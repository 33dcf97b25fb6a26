import type { endpoints } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { whyNot as whyNotOf } from "../../app/permissions.ts";
import { refreshSecrets, useSecrets } from "../../data/secrets.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { LimitsDialog, limitsText } from "./limits.tsx";
import { SetSecretDialog } from "./set-secret.tsx";

type Secret = ClientResult<typeof endpoints.listSecrets>["secrets"][number];

interface ScopeProps {
  readonly scope: string;
  readonly environment: string;
  /** Why the user may not change secrets in the environment. */
  readonly whyNot: string | undefined;
}

interface Open {
  readonly what: "set" | "delete" | "limits";
  readonly key?: string;
}

/** The secrets of one scope, by name. */
export function Scope({ scope, environment, whyNot }: ScopeProps): VNode {
  const { data, error, refresh } = useSecrets(environment, whyNot === undefined ? scope : undefined);
  const [open, setOpen] = useState<Open | undefined>();
  const close = () => setOpen(undefined);
  const columns: readonly Column<Secret>[] = [
    { title: "Name", width: "minmax(110px, 1fr)", cell: ({ key }) => <strong>{key}</strong> },
    {
      title: "Refer to it as",
      width: "minmax(160px, 1.4fr)",
      cell: ({ key }) => <code title="In any configuration">{`{{secrets/${scope}/${key}}}`}</code>,
    },
    { title: "Stored", width: "100px", cell: ({ updated_at }) => <Time at={updated_at} /> },
    {
      title: "Actions",
      width: "160px",
      isPinned: true,
      cell: ({ key }) => (
        <span class="row">
          <Button onClick={() => setOpen({ what: "set", key })} label={`Replace ${key}`}>
            Replace
          </Button>
          <Button kind="danger" onClick={() => setOpen({ what: "delete", key })} label={`Delete ${key}`}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
  if (whyNot) {
    return (
      <Card title={scope}>
        <EmptyState title="Only admins see the names of its secrets">{whyNot}</EmptyState>
      </Card>
    );
  }
  return (
    <Card
      title={scope}
      isFlush
      actions={
        <Button onClick={() => setOpen({ what: "limits" })} whyNot={whyNotOf("admin")}>
          Limits…
        </Button>
      }
    >
      {error && <ErrorBox error={error} retry={refresh} />}
      {!data && !error && <Loading what="its secrets" />}
      {data && <p class="body soft">{limitsText(data.limits)}</p>}
      {data &&
        (data.secrets.length === 0 ? (
          <EmptyState title={`${scope} has no secret in ${environment}`} />
        ) : (
          <Table label="Secrets" columns={columns} rows={data.secrets} keyOf={({ key }) => key} isAuto />
        ))}
      {open?.what === "set" && (
        <SetSecretDialog environment={environment} scope={scope} secret={open.key} onClose={close} />
      )}
      {open?.what === "limits" && data && <LimitsDialog scope={scope} limits={data.limits} onClose={close} />}
      {open?.what === "delete" && open.key !== undefined && (
        <ConfirmDialog
          title={`Delete ${scope}/${open.key}?`}
          confirm="Delete"
          onClose={close}
          perform={async () => {
            const { message } = await api.deleteSecret({
              params: { scope, key: open.key ?? "" },
              environment,
            });
            refreshSecrets();
            notify(message);
          }}
        >
          <p>What refers to it fails the next time that it runs. The value cannot be brought back.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
