import type { Part } from "@docket/core/schema"

/** A part is fetched at most this often: while its text streams, its row is written every 250 ms. */
const pauseMs = 250

/** Fetches parts that missed a text delta, each at most once in 250 ms. Failures wait for the next request. */
export function createPartRefetch(
  fetchPart: (partID: string) => Promise<Part>,
  put: (part: Part) => void,
): (partID: string) => void {
  const waiting = new Set<string>()
  return (partID) => {
    if (waiting.has(partID)) return
    waiting.add(partID)
    fetchPart(partID)
      .then(put, () => undefined)
      .finally(() => setTimeout(() => waiting.delete(partID), pauseMs))
  }
}
