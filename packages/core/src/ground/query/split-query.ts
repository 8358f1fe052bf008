/** A word, a phrase or a filter of a query, as it was typed. */
export interface QueryPiece {
  /** The typed text without the minus. */
  source: string
  /** The position in the query, including the minus. */
  start: number
  end: number
  isNot: boolean
  /** In lower case; null when there is no `name:` before it. */
  name: string | null
  /** Without quotes. */
  value: string
  isPhrase: boolean
}

/**
 * One piece: a name without a value, or a value with or without one. A quote that is not closed goes to the end; of two
 * minuses none means "not", since options of commands begin with them. No text matches in two ways.
 */
const pieces = /(-(?=[^\s-]))?(?:([A-Za-z]{1,20}):(?=\s|$)|(?:([A-Za-z]{1,20}):)?(?:"([^"]*)"?|([^\s"]+)))/g

/** The first pieces of a query, in their order. */
export function splitQuery(text: string, limit: number): QueryPiece[] {
  const list: QueryPiece[] = []
  for (const match of text.matchAll(pieces)) {
    const [all, minus, bareName, name = bareName, quoted, plain] = match
    const isNot = minus !== undefined
    const value = quoted ?? plain ?? ""
    // A pair of quotes around nothing.
    if (name === undefined && value === "") continue
    list.push({
      source: all.slice(isNot ? 1 : 0),
      start: match.index,
      end: match.index + all.length,
      isNot,
      name: name?.toLowerCase() ?? null,
      value,
      isPhrase: quoted !== undefined,
    })
    if (list.length === limit) break
  }
  return list
}
