/** The command line itself is wrong (unknown model, missing directory…). Printed as one line; exit code 2. */
export class UsageError extends Error {}
