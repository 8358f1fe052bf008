import { DocketError, DuplicateError, MissingParentError } from "@docket/core/store"
import { DatabaseError } from "pg"
import { brokenRule, driverCause } from "../sql/database-errors.ts"

/** Error codes (PostgreSQL manual, appendix A). */
const foreignKeyViolation = "23503"
const uniqueViolation = "23505"
const diskFull = "53100"
/** Connection exceptions, insufficient resources, and a server that shuts down or starts. */
const unavailable = /^(?:08|53|57P0[123])/

/** The server did not answer: it is away, or the connection broke. The query may have been executed all the same. */
export class DatabaseAwayError extends DocketError {}

/** Turns an error of `pg` into a constraint error, a message about what to do, or leaves it unchanged. */
export function explainPostgres(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // Every other error means that the connection broke or was never made.
  if (!(error instanceof DatabaseError)) return noAnswer(error.message, error)
  if (error.code === foreignKeyViolation) return new MissingParentError(error.message, { cause: error })
  if (error.code === uniqueViolation) return new DuplicateError(error.message, { cause: error })
  return explainCode(error.code, error.message, error)
}

/** Like `explainPostgres`, for an error of Prisma's client. */
export function explainClient(error: unknown): unknown {
  const cause = driverCause(error)
  if (cause) {
    const { kind, originalCode, originalMessage = kind } = cause
    // A failure of the socket has no code of the server.
    if (originalCode === undefined) return noAnswer(originalMessage, error)
    return brokenRule(cause, error) ?? explainCode(originalCode, originalMessage, error)
  }
  // Errors that the adapter does not know come from `pg`, before the server answered. Errors of the client itself have
  // its name.
  const isOfClient = error instanceof Error && error.name.startsWith("PrismaClient")
  return isOfClient ? error : explainPostgres(error)
}

function explainCode(code: string | undefined, message: string, cause: unknown): unknown {
  if (code === diskFull) {
    const words = "The disk of the PostgreSQL server is full, so nothing was stored. Make room and try again."
    return new DocketError("store_unavailable", words, { cause })
  }
  return unavailable.test(code ?? "") ? noAnswer(message, cause) : cause
}

function noAnswer(message: string, cause: unknown): DatabaseAwayError {
  const words = `The PostgreSQL database does not answer (${message}). Check that the server runs, then try again.`
  return new DatabaseAwayError("store_unavailable", words, { cause })
}
