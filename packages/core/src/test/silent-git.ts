import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** A directory for PATH with a `git` that does not answer for longer than a test takes. */
export async function silentGit(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-silent-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeFile(join(directory, "git"), "#!/bin/sh\ncd /\nexec /bin/sleep 30\n", { mode: 0o755 })
  return directory
}
