import { posix } from "node:path"
import { z } from "zod"
import { runRipgrep, SearchTimeout } from "../../acts/tool/ripgrep.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { errorText } from "../../ground/error/error-text.ts"
import type { ProjectMatch } from "./project-reading.ts"

const maxMatches = 200
/** UTF-16 units of a line. */
const maxLine = 2_000
/** ms */
const searchTimeout = 20_000

const Text = z.object({ text: z.string() })
/** A line of `rg --json`; names and lines that are no UTF-8 have no text. */
const Found = z.object({
  type: z.literal("match"),
  data: z.object({
    path: Text,
    lines: Text,
    line_number: z.number(),
    absolute_offset: z.number(),
    submatches: z.array(z.object({ match: Text, start: z.number(), end: z.number() })),
  }),
})

interface Search {
  /** Real path. */
  directory: string
  pattern: string
  signal: AbortSignal | null
  /** Whether a file may be shown, by its path below the directory. */
  isOpen(path: string): boolean
}

/** Searches a directory as ripgrep sees it, ignored files left out. @throws invalid_input */
export async function findMatches(
  { ripgrep }: { ripgrep: string },
  { directory, pattern, signal, isOpen }: Search,
): Promise<ProjectMatch[]> {
  const matches: ProjectMatch[] = []
  await runRipgrep({
    ripgrep,
    args: ["--json", "--hidden", "--glob=!.git", "--sort=path", `--regexp=${pattern}`, "--", "."],
    cwd: directory,
    signal: signal ?? new AbortController().signal,
    timeout: searchTimeout,
    onLine(line) {
      const found = Found.safeParse(JSON.parse(line))
      if (found.success) matches.push(...[matchOf(found.data)].filter(({ path }) => isOpen(path)))
      return matches.length < maxMatches
    },
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    const words = cause instanceof SearchTimeout ? "Search for something more special." : "Mend the pattern."
    throw new DocketError("invalid_input", `${errorText(cause)} ${words}`, { cause })
  })
  return matches
}

function matchOf({ data }: z.output<typeof Found>): ProjectMatch {
  const text = data.lines.text.slice(0, maxLine)
  const bytes = Buffer.byteLength(text)
  return {
    path: posix.normalize(data.path.text),
    line: data.line_number,
    text,
    offset: data.absolute_offset,
    places: data.submatches
      .filter(({ end }) => end <= bytes)
      .map(({ match, start, end }) => ({ text: match.text, start, end })),
  }
}
