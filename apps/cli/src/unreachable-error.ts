import { UsageError } from "./usage-error.ts"

/** No service answers, or it ended before the work was done. Exit code 5. */
export class UnreachableError extends UsageError {}
