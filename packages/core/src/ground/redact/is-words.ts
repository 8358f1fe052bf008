/** Whether it is made of words alone: `src/some-file`, `camelCase`. */
export function isWords(text: string): boolean {
  return (
    !/\d/.test(text) &&
    text.split(/[^A-Za-z]+/).every((word) => /^[A-Za-z]?[a-z]*(?:[A-Z][a-z]+)*$|^[A-Z]+$/.test(word))
  )
}
