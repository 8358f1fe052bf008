import { DocketError, DuplicateError, MissingParentError } from "@docket/core/store"
import { DatabaseError } from "pg"
import { brokenRule, driverCause } from "../sql/database-errors.ts"

/** Codes of errors (PostgreSQL manual, appendix A). */
const foreignKeyViolation = "23503"
const uniqueViolation = "23505"
const diskFull = "53100"
/** Connection exception, insufficient resources, the server shuts down or starts. */
const unavailable = /^(?:08|53|57P0[123])/

/** The server did not answer: it is away, or the connection broke. What was asked may have been done all the same. */
export class DatabaseAwayError extends DocketError {}

/** What `pg` threw: a broken rule as programs know it, what a person can put right in words, else the error itself. */
export function explainPostgres(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // Whatever is no answer of the server is a connection that broke or was never made.
  if (!(error instanceof DatabaseError)) return noAnswer(error.message, error)
  if (error.code === foreignKeyViolation) return new MissingParentError(error.message, { cause: error })
  if (error.code === uniqueViolation) return new DuplicateError(error.message, { cause: error })
  return explainCode(error.code, error.message, error)
}

/** The same for what Prisma's client threw. */
export function explainClient(error: unknown): unknown {
  const cause = driverCause(error)
  if (cause) {
    const { kind, originalCode, originalMessage = kind } = cause
    // A socket's failure has no code of the server.
    if (originalCode === undefined) return noAnswer(originalMessage, error)
    return brokenRule(cause, error) ?? explainCode(originalCode, originalMessage, error)
  }
  // What the adapter does not know, `pg` threw before the server answered; errors of the client itself are named so.
  const isClients = error instanceof Error && error.name.startsWith("PrismaClient")
  return isClients ? error : explainPostgres(error)
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
