/** A job keeps one id for as long as its subject lives; an automation has one in each environment. */
export const jobIdOf = (subject: string, environmentId: string): string =>
  subject.startsWith("automation/")
    ? `${subject.replace("/", "-")}-${environmentId}`
    : subject.replace("/", "-");
