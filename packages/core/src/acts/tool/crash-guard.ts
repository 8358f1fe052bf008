import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** A program beside the service that outlives it for a moment, to end what a killed service left running. */
export interface CrashGuard {
  /** Starts it where it does not run. */
  watch(): void
  /** Lets it go; it ends what still has a record. */
  close(): void
}

/**
 * Waits at a pipe from the service. When the service is gone, however it ended, it starts Node if a record is left. Until
 * then it is only a shell: a Node process that waits would hold 40 MiB.
 */
const script = `while read -r _; do :; done
for record in "$1"/*.json; do [ -e "$record" ] && exec "$2" "$3" "$1" "$4"; done`

const reaper = fileURLToPath(new URL("./reap-killed-service.ts", import.meta.url))

/**
 * @param directory with the records of running commands (absolute)
 * @param service as it stands in the records, so that the next service's commands are left alone
 */
export function createCrashGuard(directory: string, service: string): CrashGuard {
  let end: (() => void) | null = null
  return {
    watch() {
      // Its processes are found in /proc.
      if (end !== null || process.platform !== "linux") return
      const child = spawn("/bin/sh", ["-c", script, "docket-guard", directory, process.execPath, reaper, service], {
        // What is sent to the service's process group does not reach it.
        detached: true,
        cwd: "/",
        env: {} as NodeJS.ProcessEnv,
        stdio: ["pipe", "ignore", "ignore"],
      })
      const { stdin } = child
      end = () => stdin.end()
      // One that is gone is started again with the next command; the start of the next service does its work otherwise.
      const gone = () => {
        end = null
      }
      for (const stream of [child, stdin]) stream.on("error", gone)
      child.once("exit", gone)
      // Neither keeps the service from ending.
      child.unref()
      if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref()
    },
    close: () => end?.(),
  }
}
