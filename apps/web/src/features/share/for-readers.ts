/** Matches sentences about places that only the owner of the session has. */
const ownersPlace = /\bSettings\b|docket\.json|\bdocket \w+ \w+/

/** An error message without the sentences that only the owner of the session can act on. */
export function forReaders(message: string): string {
  return message
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !ownersPlace.test(sentence))
    .join(" ")
}
