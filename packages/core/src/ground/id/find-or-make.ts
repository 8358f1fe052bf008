import { AlreadyMadeError, DocketError, UnknownTreeError } from "../error/docket-error.ts"

/**
 * The result of an earlier call with the same request, or that of `make`; when another process is first, its result.
 */
export async function findOrMake<T>(find: () => Promise<T | null>, make: () => Promise<T>): Promise<T> {
  const found = await find()
  if (found !== null) return found
  try {
    return await make()
  } catch (error) {
    if (error instanceof AlreadyMadeError) {
      const made = await find()
      if (made !== null) return made
    }
    if (error instanceof UnknownTreeError) throw removedSince(error)
    throw error
  }
}

function removedSince(cause: unknown): DocketError {
  const words = "What this request created has been removed since. Send it under another key to create it again."
  return new DocketError("session_not_found", words, { cause })
}
