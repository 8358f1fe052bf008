import { AlreadyMadeError, DocketError, UnknownTreeError } from "../ground/error/docket-error.ts"

/** What an earlier call of the request made, or else what `make` does now; where another process is first, what that made. */
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
  const words = "What this request had made was removed since. Send it under another key to make it anew."
  return new DocketError("session_not_found", words, { cause })
}
