/** Words that say nothing about where to look. */
const stopWords = new Set(
  `about above after again also always another anything because been before being below between both change check code
  codebase create could describe does done doing each edit every everything explain explore file files find first fix
  folder from give good have hello help here How improve into is it its just know like line list little look make many
  maybe mean more most much must need never nothing only other over please project read report repository rename
  request session should show since some something start still such tell test than thanks that their them then there
  these they thing things this those three through under understand update used uses using very want well were what when
  where which while whole will with within without work works would write written wrong your yourself append replace
  begins cause compare correct matter matters mend names someone true try
  mention mentions mentioned quickly layout thorough medium`
    .toLowerCase()
    .split(/\s+/),
)

/** Longest keyword, in characters. */
const longest = 60

/**
 * What a request is about: first what is quoted, then what looks like code (paths, identifiers), then the
 * longer words; at most `limit`, without doubles.
 */
export function keywords(text: string, limit = 4): string[] {
  const quoted = [...text.matchAll(/`([^`\n]{2,60})`|"([^"\n]{2,60})"/g)].map((match) => match[1] ?? match[2] ?? "")
  const code =
    text.match(
      /(?:(?<![\w./:])\/)?[\w$@][\w$@-]*(?:[./:#][\w$-]+)+|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b\w+_\w+\b|\b[A-Z]\w*[A-Z]\w*\b/g,
    ) ?? []
  const words = (text.match(/\p{L}[\p{L}\d-]{3,}/gu) ?? []).filter((word) => !stopWords.has(word.toLowerCase()))
  // A plural finds less than its singular.
  const singular = words.map((word) => (/[^s]s$/.test(word) && word.length > 4 ? word.slice(0, -1) : word))
  const found = new Map<string, string>()
  for (const word of [...quoted, ...code, ...singular]) {
    const trimmed = word.trim().slice(0, longest)
    const known = [...found.keys()].some((key) => key.includes(trimmed.toLowerCase()))
    if (trimmed.length > 1 && !known) found.set(trimmed.toLowerCase(), trimmed)
  }
  return [...found.values()].slice(0, limit)
}

/** Whether a word names a file of the project. */
export function namesFile(word: string): boolean {
  return /^(?!\/)[\w@./-]*\w\.\w{1,10}$/.test(word)
}

/** A regular expression that finds any of the words, in upper or lower case: prompts seldom match the code's. */
export function anyOf(words: readonly string[]): string {
  return `(?i)${words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|")}`
}
