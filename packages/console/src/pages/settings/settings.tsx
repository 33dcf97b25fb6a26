import type { Info } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { whyNot } from "../../app/permissions.ts";
import { useQuery } from "../../app/queries.ts";
import { hrefOf } from "../../app/router.ts";
import { type Session, session } from "../../app/session.ts";
import { setTheme, type Theme, theme } from "../../app/theme.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Field } from "../../ui/field.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { notify } from "../../ui/toasts.tsx";
import { EffectiveSettings } from "./effective.tsx";

const themes: readonly { readonly value: Theme; readonly text: string }[] = [
  { value: "system", text: "as the system" },
  { value: "light", text: "light" },
  { value: "dark", text: "dark" },
];

/** Information about the server, the user's account on it, and the appearance of the console. */
export default function SettingsPage(): VNode {
  const { data, error, refresh } = useQuery({
    key: ["info"],
    read: (signal) => api.getInfo({ signal }),
    on: [{ kind: "server.*" }],
  });
  return (
    <PageLayout title="Settings">
      {error && <ErrorBox error={error} retry={refresh} />}
      <div class="cards wide">
        <Card title="Server">{data ? <Server info={data} /> : <Loading what="the server" />}</Card>
        {session.value && (
          <Card title="You">
            <You user={session.value} />
          </Card>
        )}
        <Card title="Appearance">
          <Field
            label="Theme"
            value={theme.value}
            onInput={(value) => setTheme(themes.find((one) => one.value === value)?.value ?? "system")}
            options={themes}
            hint="Remembered in this browser."
          />
        </Card>
        <Card title="Where settings are made">
          <div class="stack">
            <p>
              The settings of the server are environment variables of its process, such as{" "}
              <code>PLATFORM_DATA_DIR</code> and <code>DATABASE_URL</code>. They are read when it starts:
              change them where it is started, and restart it. All of them are below.
            </p>
            <p>
              Settings of an environment, such as its catalog and time zone, are on its{" "}
              <a class="text" href={hrefOf("/environments")}>
                page
              </a>
              .
            </p>
          </div>
        </Card>
      </div>
      <EffectiveSettings />
    </PageLayout>
  );
}

function Server({ info }: { info: Info }): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="stack">
      {info.paused && (
        <section class="verdict warn" aria-label="State">
          <div class="grow">
            <strong>The server is paused</strong>
            <p>It was restored from a backup, and starts nothing by itself.</p>
          </div>
          <Button onClick={() => setOpen(true)} whyNot={whyNot("admin")}>
            Resume
          </Button>
        </section>
      )}
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <Status value={info.paused ? "paused" : "active"} />
        </dd>
        <dt>Version</dt>
        <dd>
          {info.name} {info.version}
        </dd>
        <dt>Database</dt>
        <dd>
          {info.store === "postgres" ? "PostgreSQL" : "SQLite"}, schema {info.schema_version}
        </dd>
        <dt>Default platform</dt>
        <dd>{info.platform}</dd>
        <dt>Platforms</dt>
        <dd>{info.platforms.join(", ")}</dd>
        <dt>Address</dt>
        <dd class="mono">{location.origin}</dd>
      </dl>
      {isOpen && (
        <ConfirmDialog
          title="Resume the server?"
          confirm="Resume"
          kind="primary"
          onClose={() => setOpen(false)}
          perform={async () => notify((await api.resumeServer()).message)}
        >
          <p>
            Schedules, triggers, runs, processes and messages start again. What was due meanwhile is caught up
            on.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

const signIns: Readonly<Record<Session["auth_type"], string>> = {
  service_token: "with the service token",
  client_jwt: "with a short-lived token",
  user_token: "with a personal access token or a password",
};

const You = ({ user }: { user: Session }): VNode => (
  <dl class="facts">
    <dt>Name</dt>
    <dd>{user.name}</dd>
    <dt>Role</dt>
    <dd>{user.role === "none" ? "by environment" : user.role}</dd>
    <dt>Signed in</dt>
    <dd>{signIns[user.auth_type]}</dd>
    <dt>Users are managed</dt>
    <dd>{user.manages_users ? "by this server" : "by a Databricks workspace"}</dd>
    <dt>Default environment</dt>
    <dd>{user.default_environment}</dd>
    <dt>Environments</dt>
    <dd>{user.environments.map(({ name, role }) => `${name} (${role})`).join(", ") || "none"}</dd>
  </dl>
);
