import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import type { HooksConfig } from "@docket/core/schema"
import { type Script, type ScriptedRuntime, scriptedRuntime } from "@docket/core/test/scripted-runtime"
import { nodeTimers, type Timers } from "@docket/core/timers"
import { onTestFinished } from "vitest"
import { createHookHost, type HookHostDeps } from "../create-hook-host.ts"

/** What a model is asked. */
export type ModelCall = Parameters<Script>[0]

interface HookedRuntime extends ScriptedRuntime {
  /** A file that hooks may write. */
  file(name: string): string
  /** What hooks wrote into it as JSON, one value a line. */
  said(name: string): Record<string, unknown>[]
}

interface HookedOptions extends Omit<NonNullable<Parameters<typeof scriptedRuntime>[1]>, "config" | "extensions"> {
  config?: object
  ownHooks?: HookHostDeps["ownHooks"]
  timers?: Timers
  mostUnawaited?: number
}

/** A runtime whose user's docket.json sets the hooks. `%DIR%` in commands is a directory for what they write. */
export async function hookedRuntime(
  script: Script,
  hooks: HooksConfig,
  {
    config,
    ownHooks = async () => ({ files: [] }),
    timers = nodeTimers,
    mostUnawaited,
    ...options
  }: HookedOptions = {},
): Promise<HookedRuntime> {
  const kept = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-hooks-")))
  onTestFinished(() => rmSync(kept, { recursive: true, force: true }))
  const placed: unknown = JSON.parse(JSON.stringify(hooks).replaceAll("%DIR%", kept))
  const errors: unknown[] = []
  const host = await scriptedRuntime(script, {
    env: { PATH: process.env.PATH ?? "" },
    ...options,
    config: { permission: "allow", ...config, hooks: placed },
    extensions: [
      createHookHost({
        ...{ timers, ownHooks, now: () => performance.now(), ...(mostUnawaited !== undefined && { mostUnawaited }) },
        onError: (error) => errors.push(error),
      }),
    ],
  })
  const file = (name: string) => path.join(kept, name)
  const read = (name: string) => {
    try {
      return readFileSync(file(name), "utf8")
    } catch {
      return ""
    }
  }
  return Object.assign(host, {
    file,
    said: (name: string): Record<string, unknown>[] =>
      read(name)
        .split("\n")
        .flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line)])),
  })
}

/** A command hook. */
export function run(command: string, more: object = {}): { type: "command"; command: string } {
  return { type: "command", command, ...more }
}

/** A command that keeps what it reads. */
export function keeping(name: string): { type: "command"; command: string } {
  return run(`echo "$(cat)" >> %DIR%/${name}`)
}

/** A command that says this JSON. */
export function saying(said: object): { type: "command"; command: string } {
  return run(`echo '${JSON.stringify(said).replaceAll("'", "'\\''")}'`)
}
