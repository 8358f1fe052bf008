/** ASCII letters in lower case; all others stay: databases agree on these alone. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
