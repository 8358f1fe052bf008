import { execFileSync } from "node:child_process"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"

/** A git that writes down how it is called, and that can be made to wait. */
export interface WatchedGit {
  /** For the environment of whoever is to start it. */
  PATH: string
  /** Calls on snapshots so far, by what they do (`ls-files`). */
  calls(): Promise<string[]>
  /** A file: as long as it is there, calls wait. */
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
