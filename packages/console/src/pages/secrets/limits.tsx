import type { endpoints } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { environmentNameOf } from "../../app/permissions.ts";
import { session } from "../../app/session.ts";
import { refreshSecrets } from "../../data/secrets.ts";
import { CheckBox } from "../../ui/check-box.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Field } from "../../ui/field.tsx";

type Limits = ClientResult<typeof endpoints.listSecrets>["limits"];

/** Where the secrets of a scope may be used, and who may refer to them. */
export function limitsText({ environments, roles, hosts }: Limits): string {
  const places = environments
    ? `in ${environments.map(environmentNameOf).join(", ") || "no environment"}`
    : "in every environment";
  const who = roles && !roles.includes("operator") ? "admins" : "operators and admins";
  const where = hosts ? hosts.join(", ") || "no host" : "the first host that an admin's use here names";
  return `Its secrets may be used ${places}. New references may be written by ${who}. They may be sent to: ${where}.`;
}

interface LimitsDialogProps {
  readonly scope: string;
  readonly limits: Limits;
  readonly onClose: () => void;
}

export function LimitsDialog({ scope, limits, onClose }: LimitsDialogProps): VNode {
  const all = session.value?.environments ?? [];
  const [isEverywhere, setEverywhere] = useState(!limits.environments);
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    (limits.environments ?? []).map(environmentNameOf),
  );
  // An unchanged list is not sent, so that the hosts shown for this environment do not become the hosts of all
  // environments.
  const shownHosts = limits.hosts?.join(", ") ?? "";
  const [hosts, setHosts] = useState(shownHosts);
  const [isForAdmins, setForAdmins] = useState(Boolean(limits.roles && !limits.roles.includes("operator")));
  return (
    <ConfirmDialog
      title={`Limits of ${scope}`}
      confirm="Save"
      kind="primary"
      onClose={onClose}
      perform={async () => {
        await api.limitSecretScope({
          params: { scope },
          body: {
            environments: isEverywhere ? null : [...chosen],
            roles: isForAdmins ? ["admin"] : null,
            ...(hosts !== shownHosts && {
              hosts: hosts.trim() === "" ? null : hosts.split(",").map((host) => host.trim()),
            }),
          },
        });
        refreshSecrets();
      }}
    >
      <p class="soft">They apply to the scope of this name in every environment.</p>
      <CheckBox label="Usable in every environment" isChecked={isEverywhere} onChange={setEverywhere} />
      {!isEverywhere &&
        all.map(({ name }) => (
          <CheckBox
            key={name}
            label={`Usable in ${name}`}
            isChecked={chosen.includes(name)}
            onChange={(isChecked) =>
              setChosen(isChecked ? [...chosen, name] : chosen.filter((one) => one !== name))
            }
          />
        ))}
      <CheckBox label="Only admins may refer to it" isChecked={isForAdmins} onChange={setForAdmins} />
      <Field
        label="Hosts that its secrets may be sent to"
        value={hosts}
        onInput={setHosts}
        placeholder="db.example.com, *.example.com"
        hint="In every environment. Empty: the first one that an admin's use in an environment names. programs: apps, agents and tasks. *: all."
      />
    </ConfirmDialog>
  );
}
