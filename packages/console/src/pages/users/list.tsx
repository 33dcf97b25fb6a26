import type { User } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { hrefOf, place } from "../../app/router.ts";
import { refreshUsers, useUsers } from "../../data/users.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { chosenStatus, ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { UserForm } from "./form.tsx";
import { whyNotManage } from "./permission.ts";

const statuses = ["active", "inactive"] as const;

interface Open {
  readonly what: "new" | "edit" | "delete";
  readonly user?: User;
}

const columnsOf = (open: (one: Open) => void): readonly Column<User>[] => [
  {
    title: "Status",
    width: "116px",
    cell: ({ active }) => <Status value={active ? "active" : "inactive"} />,
  },
  { title: "User", width: "minmax(180px, 1.5fr)", cell: ({ username }) => <strong>{username}</strong> },
  {
    title: "Role",
    width: "minmax(130px, 0.8fr)",
    cell: ({ role }) =>
      role === "none" ? <span title="Only roles in environments count.">by environment</span> : role,
  },
  { title: "Created", width: "104px", cell: ({ created_at }) => <Time at={created_at} /> },
  { title: "By", width: "minmax(110px, 0.8fr)", cell: ({ created_by }) => created_by },
  { title: "Changed", width: "104px", cell: ({ updated_at }) => <Time at={updated_at} /> },
  {
    title: "Actions",
    width: "206px",
    isPinned: true,
    cell: (user) => (
      <span class="row">
        <Button onClick={() => open({ what: "edit", user })} label={`Edit ${user.username}`}>
          Edit
        </Button>
        <a class="button" href={hrefOf(`/tokens?user=${user.id}`)} aria-label={`Tokens of ${user.username}`}>
          Tokens
        </a>
        <Button
          kind="danger"
          onClick={() => open({ what: "delete", user })}
          label={`Delete ${user.username}`}
        >
          Delete
        </Button>
      </span>
    ),
  },
];

export default function UsersPage(): VNode {
  const why = whyNotManage();
  const search = place.value.query.get("search") ?? undefined;
  const status = chosenStatus(statuses);
  const { data, error, isLoading, refresh } = useUsers({ search, status }, why === undefined);
  const [open, setOpen] = useState<Open | undefined>();
  const close = () => setOpen(undefined);
  return (
    <PageLayout
      title="Users"
      isFull
      actions={
        <Button kind="primary" onClick={() => setOpen({ what: "new" })} whyNot={why}>
          <Icon name="plus" />
          New user
        </Button>
      }
    >
      {why ? (
        <EmptyState title="You cannot manage users here">{why}</EmptyState>
      ) : (
        <ListToolbar what="users" statuses={statuses} total={data?.total} />
      )}
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="users" />}
      {data &&
        (data.users.length === 0 ? (
          <EmptyState title={search || status ? "No user fits these filters" : "There is no user yet"}>
            So far only the service token can call. Create a user with a role: viewers read, operators run and
            change things, admins manage users and secrets too.
          </EmptyState>
        ) : (
          <Table label="Users" columns={columnsOf(setOpen)} rows={data.users} keyOf={({ id }) => id} />
        ))}
      {(open?.what === "new" || open?.what === "edit") && (
        <UserForm {...(open.user && { user: open.user })} onClose={close} />
      )}
      {open?.what === "delete" && open.user && <DeleteDialog user={open.user} onClose={close} />}
    </PageLayout>
  );
}

function DeleteDialog({ user, onClose }: { user: User; onClose: () => void }): VNode {
  return (
    <ConfirmDialog
      title={`Delete ${user.username}?`}
      confirm="Delete"
      onClose={onClose}
      perform={async () => {
        const { message } = await api.deleteUser({ params: { user_id: user.id } });
        refreshUsers();
        notify(message);
      }}
    >
      <p>The user and all of their tokens are deleted. Their events and what they created stay.</p>
    </ConfirmDialog>
  );
}
