import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import { createSandbox } from "../acts/sandbox/create-sandbox.ts"
import type { Sandbox } from "../acts/sandbox/sandbox.ts"

export interface ProjectFixture {
  /** Absolute and real; removed at the end of the test. */
  directory: string
  /** Writes a file. What begins with `~` lies in the user's home, which is in the directory. */
  put(name: string, text: string): Promise<void>
  env: Record<string, string>
  sandbox: Sandbox
}

/** A project with files, a home directory in it, and the sandbox that a service would have for it. */
export async function projectFixture(name: string, files: Record<string, string>): Promise<ProjectFixture> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), `docket-${name}-`)))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const put = async (at: string, text: string) => {
    const file = join(directory, at.replace(/^~/, ".home"))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  for (const [at, text] of Object.entries(files)) await put(at, text)
  return {
    ...{ directory, put },
    env: { PATH: process.env.PATH ?? "", HOME: join(directory, ".home") },
    sandbox: createSandbox({
      // The sandbox refuses a project that contains the home directory.
      home: join(tmpdir(), "nobody"),
      env: process.env,
      platform: process.platform,
      dataDirectory: join(directory, ".data"),
      configDirectory: join(directory, ".home/.config/docket"),
      clock: Date.now,
    }),
  }
}
