import type { Token, User } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { hrefOf, place, setQuery } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { refreshUsers, useTokens, useUsers } from "../../data/users.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { notify } from "../../ui/toasts.tsx";
import { NewTokenDialog } from "./new-token.tsx";
import { whyNotManage } from "./permission.ts";

const columnsOf = (revoke: (token: Token) => void): readonly Column<Token>[] => [
  {
    title: "For",
    width: "minmax(180px, 2fr)",
    cell: ({ comment }) => comment || <span class="faint">nothing was said</span>,
  },
  { title: "Created", width: "120px", cell: ({ created_at }) => <Time at={created_at} /> },
  { title: "By", width: "minmax(120px, 1fr)", cell: ({ created_by }) => created_by },
  {
    title: "Expires",
    width: "minmax(120px, 1fr)",
    cell: ({ expires_at }) =>
      expires_at === null ? <span class="soft">when it is revoked</span> : <Time at={expires_at} />,
  },
  {
    title: "Action",
    width: "120px",
    isPinned: true,
    cell: (token) => (
      <Button kind="danger" onClick={() => revoke(token)} label={`Revoke ${token.comment || token.id}`}>
        Revoke
      </Button>
    ),
  },
];

export default function TokensPage(): VNode {
  const why = whyNotManage();
  const { data: list, error, isLoading, refresh } = useUsers({}, why === undefined);
  const wanted = place.value.query.get("user") ?? session.value?.name;
  const user = list?.users.find(({ id, username }) => id === wanted || username === wanted) ?? list?.users[0];
  const [isOpen, setOpen] = useState(false);
  return (
    <PageLayout
      title="Tokens"
      isFull
      actions={
        <Button
          kind="primary"
          onClick={() => setOpen(true)}
          whyNot={why ?? (user ? undefined : "There is no user: create one first.")}
        >
          <Icon name="plus" />
          New token
        </Button>
      }
    >
      {why && <EmptyState title="You cannot manage tokens here">{why}</EmptyState>}
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="tokens" />}
      {list && !user && (
        <EmptyState title="There is no user yet" action={<a href={hrefOf("/users")}>Go to the users</a>}>
          A token acts as a user, with the role of the user. Create a user first.
        </EmptyState>
      )}
      {list && user && (
        <>
          <div class="toolbar">
            <label class="check">
              Tokens of
              <select
                class="input"
                value={user.id}
                onChange={(event) => setQuery({ user: event.currentTarget.value })}
              >
                {list.users.map(({ id, username }) => (
                  <option key={id} value={id}>
                    {username}
                  </option>
                ))}
              </select>
            </label>
            <span class="soft">
              They act as {user.username}, with the role {user.role}.
            </span>
          </div>
          <Tokens user={user} />
        </>
      )}
      {isOpen && user && <NewTokenDialog user={user} onClose={() => setOpen(false)} />}
    </PageLayout>
  );
}

function Tokens({ user }: { user: User }): VNode {
  const { data, error, isLoading, refresh } = useTokens(user.id);
  const [revoked, setRevoked] = useState<Token | undefined>();
  return (
    <>
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="tokens" />}
      {data &&
        (data.tokens.length === 0 ? (
          <EmptyState title={`${user.username} has no token`}>
            Programs, the command line and CI sign in with a personal access token.
          </EmptyState>
        ) : (
          <Table label="Tokens" columns={columnsOf(setRevoked)} rows={data.tokens} keyOf={({ id }) => id} />
        ))}
      {revoked && (
        <ConfirmDialog
          title={`Revoke ${revoked.comment || "the token"}?`}
          confirm="Revoke"
          onClose={() => setRevoked(undefined)}
          perform={async () => {
            const { message } = await api.revokeToken({
              params: { user_id: user.id, token_id: revoked.id },
            });
            refreshUsers();
            notify(message);
          }}
        >
          <p>Whatever uses it can no longer sign in. It cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
