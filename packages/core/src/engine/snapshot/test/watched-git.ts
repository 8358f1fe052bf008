import { execFileSync } from "node:child_process"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"

/** A git that records its calls and can be blocked. */
export interface WatchedGit {
  /** The PATH variable for processes that should use it. */
  PATH: string
  /** The calls on snapshots so far, by subcommand (`ls-files`). */
  calls(): Promise<string[]>
  /** A file: calls wait while it exists. */
  held: string
  release(): Promise<void>
}

export async function watchedGit(directory: string): Promise<WatchedGit> {
  await mkdir(directory)
  const [log, held] = [join(directory, "log"), join(directory, "held")]
  const git = execFileSync("sh", ["-c", "command -v git"]).toString().trim()
  const script = `#!/bin/sh
printf '%s\\n' "$*" >> '${log}'
while test -e '${held}'; do sleep 0.02; done
exec '${git}' "$@"
`
  await writeFile(join(directory, "git"), script, { mode: 0o755 })
  return {
    PATH: [directory, process.env.PATH].join(delimiter),
    async calls() {
      const lines = (await readFile(log, "utf8").catch(() => "")).split("\n")
      return lines.flatMap((line) => /--git-dir=\S*snapshots\S* --work-tree=\S+ (\S+)/.exec(line)?.[1] ?? [])
    },
    held,
    release: () => rm(held, { force: true }),
  }
}
