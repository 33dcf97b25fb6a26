/** A job keeps its id for the life of its subject; an automation has one job per environment. */
export const jobIdOf = (subject: string, environmentId: string): string =>
  subject.startsWith("automation/")
    ? `${subject.replace("/", "-")}-${environmentId}`
    : subject.replace("/", "-");
