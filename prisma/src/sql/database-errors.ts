import { DuplicateError, MissingParentError } from "@docket/core/store"
import { type DriverAdapterError, isDriverAdapterError } from "@prisma/driver-adapter-utils"

/** The row already exists: an earlier attempt of the same call stored it, and its answer was lost. */
export class StoredBeforeError extends DuplicateError {}

/** The database's own error inside an error of Prisma's client; null when there is none. */
export function driverCause(error: unknown): DriverAdapterError["cause"] | null {
  if (isDriverAdapterError(error)) return error.cause
  if (!(error instanceof Error) || !("meta" in error)) return null
  const { meta } = error
  if (typeof meta !== "object" || meta === null || !("driverAdapterError" in meta)) return null
  return isDriverAdapterError(meta.driverAdapterError) ? meta.driverAdapterError.cause : null
}

/** Maps a violated constraint to the error that programs throw for it too; null for other errors. */
export function brokenRule(cause: DriverAdapterError["cause"], error: unknown): Error | null {
  const message = cause.originalMessage ?? cause.kind
  if (cause.kind === "ForeignKeyConstraintViolation") return new MissingParentError(message, { cause: error })
  return cause.kind === "UniqueConstraintViolation" ? new DuplicateError(message, { cause: error }) : null
}
