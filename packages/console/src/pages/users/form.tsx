import type { User } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { refreshUsers } from "../../data/users.ts";
import { CheckBox } from "../../ui/check-box.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/toasts.tsx";

const roles = [
  { value: "viewer", text: "viewer: reads everything" },
  { value: "operator", text: "operator: runs and changes things" },
  { value: "admin", text: "admin: also manages users and secrets" },
  { value: "none", text: "none: only roles in environments count" },
] as const;

/** Creates or changes a user. */
export function UserForm({ user, onClose }: { user?: User; onClose: () => void }): VNode {
  const [username, setUsername] = useState("");
  const [role, setRole] = useState<User["role"]>(user?.role ?? "viewer");
  const [password, setPassword] = useState("");
  const [isActive, setActive] = useState(user?.active ?? true);
  const [revokes, setRevokes] = useState(false);
  const save = useAction(async () => {
    const common = { role, ...(password && { password }) };
    if (user) {
      await api.updateUser({
        params: { user_id: user.id },
        body: { ...common, active: isActive, ...(revokes && { revoke_tokens: true }) },
      });
    } else {
      await api.createUser({
        body: { ...common, username: username.trim() },
        idempotencyKey: crypto.randomUUID(),
      });
    }
    refreshUsers();
    notify(user ? `${user.username} was changed.` : `${username.trim()} was created.`);
    onClose();
  });
  return (
    <FormDialog
      title={user ? `Edit ${user.username}` : "New user"}
      onClose={onClose}
      action={save}
      submit={user ? "Save" : "Create"}
    >
      {!user && (
        <Field
          label="User name"
          value={username}
          onInput={setUsername}
          path="username"
          error={save.error}
          placeholder="ada@example.com"
          hint="It never changes."
          autocomplete="off"
          required
        />
      )}
      <Field
        label="Role"
        value={role}
        onInput={(value) => setRole(roles.find((one) => one.value === value)?.value ?? "viewer")}
        options={roles}
        path="role"
        error={save.error}
      />
      <Field
        label={user ? "New password" : "Password"}
        type="password"
        value={password}
        onInput={setPassword}
        path="password"
        error={save.error}
        autocomplete="new-password"
        hint={
          user
            ? "Empty: it stays as it is."
            : "At least 12 characters that are hard to guess. Empty: the user can only use tokens."
        }
      />
      {user && (
        <>
          <CheckBox label="Active: may call" isChecked={isActive} onChange={setActive} />
          <CheckBox label="Revoke all personal access tokens" isChecked={revokes} onChange={setRevokes} />
          <p class="soft">Every change ends the sessions of the user at once.</p>
        </>
      )}
    </FormDialog>
  );
}
