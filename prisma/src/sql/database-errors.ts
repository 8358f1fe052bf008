import { DuplicateError, MissingParentError } from "@docket/core/store"
import { type DriverAdapterError, isDriverAdapterError } from "@prisma/driver-adapter-utils"

/** It was stored by an earlier try of the same call, whose answer was lost. */
export class StoredBeforeError extends DuplicateError {}

/** What the database said, in an error of Prisma's client; null when the error is not about that. */
export function driverCause(error: unknown): DriverAdapterError["cause"] | null {
  if (isDriverAdapterError(error)) return error.cause
  if (!(error instanceof Error) || !("meta" in error)) return null
  const { meta } = error
  if (typeof meta !== "object" || meta === null || !("driverAdapterError" in meta)) return null
  return isDriverAdapterError(meta.driverAdapterError) ? meta.driverAdapterError.cause : null
}

/** The same error for programs and for calls of Prisma's client; null when no rule between rows was broken. */
export function brokenRule(cause: DriverAdapterError["cause"], error: unknown): Error | null {
  const message = cause.originalMessage ?? cause.kind
  if (cause.kind === "ForeignKeyConstraintViolation") return new MissingParentError(message, { cause: error })
  return cause.kind === "UniqueConstraintViolation" ? new DuplicateError(message, { cause: error }) : null
}
