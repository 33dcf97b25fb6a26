/** The role that a caller has, for a sentence: `no role`, or `the role viewer`. */
export const heldRole = (role: string | undefined): string =>
  role === undefined || role === "none" ? "no role" : `the role ${role}`;
