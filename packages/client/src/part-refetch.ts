import type { Part } from "@docket/core/schema"

/** While text streams, the row of its part is written every 250 ms: fetching more often finds nothing new. */
const pauseMs = 250

/**
 * Fetches parts that missed a text delta, each at most once in 250 ms. A failed fetch is repeated when the part was
 * requested again meanwhile, else at the next request.
 */
export function createPartRefetch(
  fetchPart: (partID: string) => Promise<Part>,
  put: (part: Part) => void,
): (partID: string) => void {
  /** Parts that are being fetched or were fetched within the pause; true when requested again since. */
  const waiting = new Map<string, boolean>()
  const request = (partID: string): void => {
    if (waiting.has(partID)) return void waiting.set(partID, true)
    waiting.set(partID, false)
    fetchPart(partID)
      .then(
        (part) => {
          put(part)
          return true
        },
        () => false,
      )
      .then((succeeded) =>
        setTimeout(() => {
          const again = waiting.get(partID) === true
          waiting.delete(partID)
          if (again && !succeeded) request(partID)
        }, pauseMs),
      )
  }
  return request
}
