import type { AskDescription } from "./describe-ask.ts"

/** Names that a sentence takes; the rest are counted. */
const maxNamed = 2

/** What would happen as a sentence in pieces: names are set apart from words. */
export function actPieces({ act }: Pick<AskDescription, "act">): { text: string; isName: boolean }[] {
  const named = act.what.slice(0, maxNamed)
  const rest = act.what.length - named.length
  const names = named.flatMap((text, index) => [
    { text: index === 0 ? " " : ", ", isName: false },
    { text, isName: true },
  ])
  const tail = `${rest > 0 ? ` and ${rest} more` : ""}${act.where === null ? "" : ` ${act.where}`}`
  return [{ text: act.does, isName: false }, ...names, ...(tail === "" ? [] : [{ text: tail, isName: false }])]
}

export function actText(shown: Pick<AskDescription, "act">): string {
  return actPieces(shown)
    .map(({ text }) => text)
    .join("")
}
