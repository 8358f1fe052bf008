import { randomUUID } from "node:crypto"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { createCrashGuard } from "./crash-guard.ts"
import { callMarker, endSessionCommands, reapCommand, type SpawnedCommand } from "./process-group.ts"

const Recorded = z.object({
  pid: z.number().int(),
  startedAt: z.number(),
  marker: z.string().min(1),
  /** The service that ran it. */
  service: z.string().optional(),
})

/**
 * Tracks which commands run, also on disk, so that they can be ended after a crash: at once by a guard beside the service, or
 * by the next service.
 */
export interface RunningCommands {
  onSpawn(command: SpawnedCommand): void
  /** All processes of the command have received the signal to end. */
  onSignal(command: SpawnedCommand): void
  onExit(command: SpawnedCommand): void
  /** Resolves when every command now running in these sessions has received the signal to end, or has ended. */
  signalled(sessionIDs: readonly string[]): Promise<void>
  /** Ends the background processes that commands of these sessions left, including daemons. */
  endBackground(sessionIDs: string[]): Promise<void>
  /**
   * Ends what an earlier service process left running; call it at the start, before any command runs.
   * @param service only what this one left
   */
  reap(service?: string): Promise<void>
  close(): void
}

/** @param directory absolute; created when a command first runs */
export function createRunningCommands(directory: string): RunningCommands {
  const fileOf = (command: SpawnedCommand) => join(directory, `${command.marker}.json`)
  /** Running commands by their marker. */
  const running = new Map<string, PromiseWithResolvers<void>>()
  const service = randomUUID()
  const guard = createCrashGuard(directory, service)
  return {
    // Synchronous: the record must exist before the command can do anything.
    onSpawn(command) {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const { pid, startedAt, marker, isHeld } = command
      writeFileSync(fileOf(command), JSON.stringify({ pid, startedAt, marker, service }), { mode: 0o600 })
      if (!isHeld) guard.watch()
      running.set(marker, Promise.withResolvers())
    },
    onSignal: ({ marker }) => running.get(marker)?.resolve(),
    onExit(command) {
      running.get(command.marker)?.resolve()
      running.delete(command.marker)
      rmSync(fileOf(command), { force: true })
    },
    async signalled(sessionIDs) {
      const own = [...running].filter(([marker]) => sessionIDs.some((id) => marker.startsWith(callMarker(id, ""))))
      await Promise.all(own.map(([, { promise }]) => promise))
    },
    endBackground: endSessionCommands,
    async reap(of) {
      const names = await readdir(directory).catch(() => [])
      await Promise.all(
        names.map(async (name) => {
          const file = join(directory, name)
          const recorded = Recorded.safeParse(parseJson(await readFile(file, "utf8").catch(() => "")))
          if (of !== undefined && recorded.data?.service !== of) return
          if (recorded.success) await reapCommand(recorded.data)
          await rm(file, { force: true })
        }),
      )
    },
    close: guard.close,
  }
}

/** A crash can leave an incomplete record, which is useless. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
