import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { z } from "zod"
import { type Engine, type EngineLink, problemOfRefusal } from "./engine.ts"
import { EngineProblem } from "./engine-problem.ts"
import { readFrames } from "./read-frames.ts"

const Made = z.object({ Id: z.string().min(1) })
const Looked = z.object({ Running: z.boolean(), ExitCode: z.number().int().nullish() })

export interface Program {
  command: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Absolute. */
  cwd?: string
}

export interface RunningInside {
  link: EngineLink
  /** Its exit code; `running` as long as it has none, `gone` when its container is. */
  look(): Promise<number | "running" | "gone">
}

/** Starts a program in a container. @throws EngineProblem */
export async function startInside(engine: Engine, container: string, program: Program): Promise<RunningInside> {
  const made = await engine.call("POST", `/containers/${container}/exec`, {
    body: {
      ...{ AttachStdin: false, AttachStdout: true, AttachStderr: true, Tty: false },
      Cmd: program.command,
      Env: Object.entries(program.env ?? {}).map(([name, value]) => `${name}=${value}`),
      ...(program.cwd !== undefined && { WorkingDir: program.cwd }),
    },
  })
  if (made.status !== 201) throw problemOfRefusal(made)
  const { Id: id } = Made.parse(made.body)
  const link = await engine.attach(`/exec/${id}/start`, { Detach: false, Tty: false })
  return {
    link,
    async look() {
      const looked = await engine.call("GET", `/exec/${id}/json`)
      if (looked.status === 404 || looked.status === 409) return "gone"
      if (looked.status !== 200) throw problemOfRefusal(looked)
      const { Running, ExitCode } = Looked.parse(looked.body)
      return Running ? "running" : (ExitCode ?? "running")
    },
  }
}

/** What a program writes, also when its connection breaks; then it ends without a word. */
export function framesOf({ output }: EngineLink): Readable {
  const frames = output.pipe(readFrames())
  // A stream that is destroyed has no end of its own.
  output.once("close", () => frames.end())
  return frames
}

/** Runs a short program of Docket's own, and gives what it wrote. @throws EngineProblem when it takes too long */
export async function askInside(
  engine: Engine,
  container: string,
  { program, timeout }: { program: Program; timeout: number },
): Promise<string> {
  const { link } = await startInside(engine, container, program)
  const timer = setTimeout(() => link.close(), timeout)
  try {
    return await text(framesOf(link))
  } catch (error) {
    throw new EngineProblem("The container did not answer in time.", { cause: error })
  } finally {
    clearTimeout(timer)
    link.close()
  }
}
