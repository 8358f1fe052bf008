import { DocketError } from "../error/docket-error.ts"
import { holdsTerm, type SearchAsk, type SearchState } from "../query/index.ts"
import type { Session } from "../schema/index.ts"
import type { SearchPlace } from "./port/index.ts"
import type { SearchDocument } from "./search-document.ts"

/** Whether what a part or a title says and carries is what is asked for. */
export function documentFits(ask: SearchAsk, { words, files, facets, rootID, at }: SearchDocument): boolean {
  return (
    ask.terms.every((term) => holdsTerm(words, term)) &&
    !ask.without.some((term) => holdsTerm(words, term)) &&
    ask.is.every(({ name, values }) => values.includes(facets[name] ?? "")) &&
    !ask.isNot.some(({ name, values }) => values.includes(facets[name] ?? "")) &&
    (ask.files.length === 0 || ask.files.some((term) => holdsTerm(files, term))) &&
    !ask.withoutFiles.some((term) => holdsTerm(files, term)) &&
    (ask.trees.length === 0 || ask.trees.includes(rootID)) &&
    (ask.after === null || at >= ask.after) &&
    (ask.before === null || at < ask.before)
  )
}

/** How the work of a session stands; null before it has begun. */
export function sessionState({ status, ended }: Session): SearchState | null {
  return status.type === "idle" ? (ended?.how ?? null) : "running"
}

/** Whether what was found is still said: what an undo took back stays stored until the next prompt. */
export function isSaid({ messageID }: Pick<SearchPlace, "messageID">, { revert }: Pick<Session, "revert">): boolean {
  // What tasks did meanwhile in other sessions is undone with it: ids ascend.
  return messageID === null || !revert || messageID < revert.messageID
}

/** Where the next page begins, after this place. */
export function searchCursor({ at, id }: { at: number; id: string }): string {
  return `${at}:${id}`
}

/** @throws DocketError invalid_input when it is not a cursor that a search gave */
export function parseSearchCursor(cursor: string): { at: number; id: string } {
  const [, at, id] = /^(\d{1,16}(?:\.\d{1,9})?):(\w{1,80})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) {
    throw new DocketError(
      "invalid_input",
      "the cursor is not one that this search gave; leave it out for its first page",
    )
  }
  return { at: Number(at), id }
}
