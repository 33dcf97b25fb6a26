/** Compiles only if the installed types are those that the contract's schemas infer, for every operation. */

import type { Client as Installed } from "@lakehelm/client";
import type { Client as Inferred } from "@lakehelm/contract/client";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Method = (...call: never[]) => unknown;
/** The names of methods that only one has, or that take or return something else. */
type Different<A, B> =
  | Exclude<keyof A, keyof B>
  | Exclude<keyof B, keyof A>
  | {
      [Name in keyof A & keyof B]: A[Name] extends Method
        ? B[Name] extends Method
          ? Same<Parameters<A[Name]>, Parameters<B[Name]>> extends true
            ? Same<ReturnType<A[Name]>, ReturnType<B[Name]>> extends true
              ? never
              : Name
            : Name
          : Name
        : never;
    }[keyof A & keyof B];

declare const methods: Different<Inferred, Installed>;
declare const withResponse: Different<Inferred["withResponse"], Installed["withResponse"]>;
declare const lists: Different<Inferred["all"], Installed["all"]>;
// The compiler's message names them.
methods satisfies never;
withResponse satisfies never;
lists satisfies never;
