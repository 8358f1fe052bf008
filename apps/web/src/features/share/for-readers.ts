/** Sentences that send the owner to a place which readers of a share do not have. */
const ownersPlace = /\bSettings\b|docket\.json|\bdocket \w+ \w+/

/** What an error says, without what only the owner of the session can do about it. */
export function forReaders(message: string): string {
  return message
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !ownersPlace.test(sentence))
    .join(" ")
}
