/** Compiles only if, for every operation, the installed types equal the types that the contract's schemas infer. */

import type { Client as Installed } from "@lakehelm/client";
import type { Client as Inferred } from "@lakehelm/contract/client";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Method = (...call: never[]) => unknown;
/** The names of methods that only one of the types has, or whose argument or result differs. */
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
// If this fails, the compiler's message names the methods.
methods satisfies never;
withResponse satisfies never;
lists satisfies never;
