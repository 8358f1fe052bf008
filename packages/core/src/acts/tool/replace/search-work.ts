/** Units of work that one search may cost. A unit is about one comparison of characters; all of them take 100 ms. */
const MAX_WORK = 20_000_000

/** The search for a piece of text would take too long, because too many places are alike. */
export class SearchTooLong extends Error {
  constructor() {
    super(
      "oldString was not found exactly, and too many places of the file are similar to it. Read the lines again and copy them exactly, or use write for the whole file.",
    )
    this.name = "SearchTooLong"
  }
}

/** Counts what a search costs. */
export interface SearchWork {
  /** @throws SearchTooLong when the search has cost too much */
  spend(units: number): void
}

export function createSearchWork(limit: number = MAX_WORK): SearchWork {
  let spent = 0
  return {
    spend(units) {
      spent += units
      if (spent > limit) throw new SearchTooLong()
    },
  }
}
