import type { Part } from "@docket/core/schema"

/** A part is fetched at most this often: while its text streams, its row is written every 250 ms. */
const pauseMs = 250

/**
 * Fetches parts that missed a text delta, each at most once in 250 ms. One that failed is fetched again if it was asked for
 * meanwhile; else with the next request.
 */
export function createPartRefetch(
  fetchPart: (partID: string) => Promise<Part>,
  put: (part: Part) => void,
): (partID: string) => void {
  /** Parts that are on their way or came just now, and whether they were asked for again since. */
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
      .then((came) =>
        setTimeout(() => {
          const again = waiting.get(partID) === true
          waiting.delete(partID)
          if (again && !came) request(partID)
        }, pauseMs),
      )
  }
  return request
}
