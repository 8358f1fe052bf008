const userHeading = "[user]"

/** A text of the user as an entry of a conversation that a model is asked to summarize. */
export function userEntry(text: string): string {
  return `${userHeading}\n${text}`
}

/** The texts of the user in entries that were joined. Each entry begins with a heading in square brackets. */
export function userTexts(conversation: string): string[] {
  return conversation
    .split(/^(?=\[(?:user|the user attached .*|assistant|assistant calls \S+|result of \S+)\]$)/m)
    .flatMap((entry) => (entry.startsWith(`${userHeading}\n`) ? [entry.slice(userHeading.length).trim()] : []))
}
