const userMark = "[user]"

/** A text of the user as an entry. */
export function userEntry(text: string): string {
  return `${userMark}\n${text}`
}

/** The texts of the user in entries that were joined. */
export function userTexts(conversation: string): string[] {
  return conversation
    .split(/^(?=\[(?:user|the user attached .*|assistant|assistant calls \S+|result of \S+)\]$)/m)
    .flatMap((entry) => (entry.startsWith(`${userMark}\n`) ? [entry.slice(userMark.length).trim()] : []))
}
