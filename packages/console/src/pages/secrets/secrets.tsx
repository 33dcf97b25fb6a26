import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { whyNot } from "../../app/permissions.ts";
import { environmentName, hrefOf, place } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { useSecretScopes } from "../../data/secrets.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { ListToolbar } from "../../ui/list-toolbar.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Scope } from "./scope.tsx";
import { SetSecretDialog } from "./set-secret.tsx";

/** The names of secrets, by scope. Their values are never shown. */
export default function SecretsPage(): VNode {
  const environment = environmentName.value ?? session.value?.default_environment ?? "local";
  const { query } = place.value;
  const search = query.get("search") ?? undefined;
  const whyUnseen = roleIn(environment) === "viewer" ? whyNot("operator", environment) : undefined;
  const why = whyNot("admin", environment);
  const { data, error, isLoading, refresh } = useSecretScopes(environment, search, whyUnseen === undefined);
  const scope = query.get("scope") ?? data?.scopes[0]?.scope;
  const [isOpen, setOpen] = useState(false);
  return (
    <PageLayout
      title="Secrets"
      actions={
        <Button kind="primary" onClick={() => setOpen(true)} whyNot={why}>
          <Icon name="plus" />
          Set a secret
        </Button>
      }
    >
      {whyUnseen ? (
        <EmptyState title="You cannot see secrets here">{whyUnseen}</EmptyState>
      ) : (
        <ListToolbar what="scopes" total={data?.total}>
          <span class="soft">
            In the environment <strong>{environment}</strong>
          </span>
        </ListToolbar>
      )}
      {error && <ErrorBox error={error} retry={refresh} />}
      {isLoading && <Loading what="secrets" />}
      {data &&
        (data.scopes.length === 0 && !query.has("scope") ? (
          <EmptyState title={search ? "No scope fits this text" : "There is no secret yet"}>
            Store a password or token once, and refer to it in configurations as{" "}
            <code>{"{{secrets/scope/key}}"}</code>. It is stored encrypted and never shown again.
          </EmptyState>
        ) : (
          <div class="sidebar-columns">
            <Card title="Scopes" isFlush>
              <ul class="items">
                {data.scopes.map((one) => (
                  <li key={one.scope} class="row">
                    <a
                      class="grow clip"
                      href={hrefOf(`/secrets?scope=${encodeURIComponent(one.scope)}`)}
                      aria-current={one.scope === scope ? "true" : undefined}
                    >
                      {one.scope}
                    </a>
                  </li>
                ))}
              </ul>
            </Card>
            {scope !== undefined && (
              <Scope key={scope} scope={scope} environment={environment} whyNot={why} />
            )}
          </div>
        ))}
      {isOpen && <SetSecretDialog environment={environment} scope={scope} onClose={() => setOpen(false)} />}
    </PageLayout>
  );
}

function roleIn(environment: string): string {
  const user = session.value;
  const role = user?.environments.find(({ name, id }) => name === environment || id === environment)?.role;
  const found = role ?? user?.role ?? "viewer";
  return found === "none" ? "viewer" : found;
}
