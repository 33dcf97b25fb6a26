import type { Environment, EnvironmentRole } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { useAction } from "../../app/queries.ts";
import { refreshEnvironments, useEnvironmentRoles } from "../../data/environments.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loading } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";

const roles = ["viewer", "operator", "admin"] as const;

/** The users who have an explicit role in the environment. */
export function Roles({ environment }: { environment: Environment }): VNode {
  const why = whyNot("admin", environment.id);
  const { data, error, refresh } = useEnvironmentRoles(environment.id, why === undefined);
  const [isOpen, setOpen] = useState(false);
  const remove = useAction(async (username: string) => {
    const { message } = await api.deleteEnvironmentRole({
      params: { environment_id: environment.id, username },
    });
    refreshEnvironments();
    notify(message);
  });
  const columns: readonly Column<EnvironmentRole>[] = [
    { title: "User", width: "minmax(180px, 1.5fr)", cell: ({ username }) => username },
    { title: "Role", width: "110px", cell: ({ role }) => role },
    { title: "Given by", width: "minmax(140px, 1fr)", cell: ({ granted_by }) => granted_by },
    { title: "Given", width: "110px", cell: ({ granted_at }) => <Time at={granted_at} /> },
    {
      title: "Action",
      width: "110px",
      isPinned: true,
      cell: ({ username }) => (
        <Button
          onClick={() => void remove.run(username)}
          whyNot={why}
          label={`Remove the role of ${username}`}
        >
          Remove
        </Button>
      ),
    },
  ];
  if (why) return <EmptyState title="Only admins of the environment see its roles">{why}</EmptyState>;
  return (
    <>
      <div class="toolbar">
        <span class="soft grow">
          A role here replaces the user's role on the whole server. Admins of the server are admins
          everywhere.
        </span>
        <Button onClick={() => setOpen(true)}>
          <Icon name="plus" />
          Give a role
        </Button>
      </div>
      {(error ?? remove.error) && <ErrorBox error={(error ?? remove.error) as Error} retry={refresh} />}
      {!data && !error && <Loading what="the roles" />}
      {data &&
        (data.roles.length === 0 ? (
          <EmptyState title="Nobody has a role of their own here">
            Everybody has their role on the whole server.
          </EmptyState>
        ) : (
          <Table label="Roles" columns={columns} rows={data.roles} keyOf={({ username }) => username} />
        ))}
      {isOpen && <RoleDialog environment={environment} onClose={() => setOpen(false)} />}
    </>
  );
}

function RoleDialog({ environment, onClose }: { environment: Environment; onClose: () => void }): VNode {
  const [username, setUsername] = useState("");
  const [role, setRole] = useState<(typeof roles)[number]>("operator");
  const give = useAction(async () => {
    await api.putEnvironmentRole({
      params: { environment_id: environment.id, username: username.trim() },
      body: { role },
    });
    refreshEnvironments();
    onClose();
  });
  return (
    <FormDialog
      title={`Give a role in ${environment.name}`}
      onClose={onClose}
      action={give}
      submit="Give the role"
      whyNot={username.trim() === "" ? "Enter the name of a user." : undefined}
    >
      <Field label="User" value={username} onInput={setUsername} placeholder="ada@example.com" required />
      <Field
        label="Role"
        value={role}
        onInput={(value) => setRole(roles.find((one) => one === value) ?? "viewer")}
        options={roles.map((one) => ({ value: one, text: one }))}
      />
    </FormDialog>
  );
}
