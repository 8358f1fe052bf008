import { spawn } from "node:child_process"
import { getPriority, setPriority } from "node:os"
import { createInterface } from "node:readline"

/**
 * Runs a program to its end and collects what it prints.
 * @param {string[]} command program and arguments
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, onLine?: (line: string) => void, givesWay?: boolean }} options
 *   `onLine` gets each line while the program runs; one that gives way runs, with what it starts, in the time that others
 *   leave
 * @returns {Promise<{ code: number, output: string }>} code 127 when the program does not exist
 */
export function run([program, ...args], { cwd, env, onLine, givesWay = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], shell: needsShell(program) })
    if (givesWay) giveWay(child.pid)
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => {
        output += chunk
      })
      if (onLine) createInterface(stream).on("line", onLine)
    }
    child.on("error", (error) => resolve({ code: error.code === "ENOENT" ? 127 : 1, output: String(error) }))
    child.on("close", (code) => resolve({ code: code ?? 1, output }))
  })
}

/** Windows starts `.cmd` files only through its shell. */
function needsShell(program) {
  return process.platform === "win32" && !program.endsWith(".exe")
}

/** How much nicer than this process (the unit of nice(1), of which 19 is the most): a third of the time beside a busy one. */
const nicer = 5

function giveWay(pid) {
  // It could not be started, or has ended already.
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(19, getPriority() + nicer))
  } catch {
    // It only takes as much as the others.
  }
}
