/**
 * A failure that the user can mend: a wrong command line, a refusal, a service that does not answer… Printed as one
 * line; exit code 2.
 */
export class UsageError extends Error {}
