/** The order matters: browsers also name those they are derived from. */
const programs: readonly [pattern: RegExp, name: string][] = [
  [/^docket\b|docket-cli/i, "Command line (docket)"],
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^node\b|undici/i, "A program (Node.js)"],
  [/^curl\//i, "curl"],
]

const systems: readonly [pattern: RegExp, name: string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "Mac"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
]

/** Describes a browser or program by its user agent: "Firefox on Linux". */
export function deviceLabel(agent: string): string {
  const program = programs.find(([pattern]) => pattern.test(agent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1]
  if (program === undefined) return system === undefined ? "An unknown program" : `A program on ${system}`
  return system === undefined ? program : `${program} on ${system}`
}
