import { spawn } from "node:child_process"
import { getPriority, setPriority } from "node:os"
import { createInterface } from "node:readline"

/** Each with its child processes, in a group of its own; Windows has no groups. */
const running = new Set()
const hasGroups = process.platform !== "win32"

/** One of several parts may fail and end this process: the others end with it. */
process.on("exit", () => {
  for (const child of running) endAll(child)
})
// A signal alone would end this process without the above. Whoever else listens decides when to end.
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
])
  process.on(signal, () => process.listenerCount(signal) === 1 && process.exit(code))

/**
 * Runs a program to its end and collects its output.
 * @param {string[]} command program and arguments
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, onLine?: (line: string) => void, givesWay?: boolean, measure?: boolean }} options
 *   `onLine` gets each line while the program runs; `givesWay` runs it and its child processes with lower priority;
 *   `measure` measures the processor time of all processes that it waited for
 * @returns {Promise<{ code: number, output: string, cpu: number | null }>} code 127 when the program does not exist;
 *   `cpu` in seconds, null when it was not measured
 */
export function run(command, { cwd, env, onLine, givesWay = false, measure = false } = {}) {
  const measured = measure && process.platform !== "win32"
  const [program, ...args] = measured ? ["sh", "-c", measuring, "sh", ...command] : command
  return new Promise((resolve) => {
    const stdio = ["ignore", "pipe", "pipe", ...(measured ? ["pipe"] : [])]
    const child = spawn(program, args, { cwd, env, stdio, shell: needsShell(program), detached: hasGroups })
    if (child.pid !== undefined) running.add(child)
    let times = ""
    child.stdio[3]?.setEncoding("utf8").on("data", (chunk) => {
      times += chunk
    })
    if (givesWay) giveWay(child.pid)
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => {
        output += chunk
      })
      if (onLine) createInterface(stream).on("line", onLine)
    }
    child.on("error", (error) => resolve({ code: error.code === "ENOENT" ? 127 : 1, output: String(error), cpu: null }))
    child.on("close", (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output, cpu: measured ? secondsIn(times) : null })
    })
  })
}

/** Runs a program without file descriptor 3, and writes the output of POSIX `times` to it at the end. */
const measuring = '"$@" 3>&-; code=$?; times >&3; exit $code'

/** The second line of `times` is for the ended child processes: user time and system time, like "1m2.34s 0m1.00s". */
function secondsIn(times) {
  const [, children = ""] = times.trim().split("\n")
  const each = [...children.matchAll(/(\d+)m([\d.,]+)s/g)]
  return each.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds.replace(",", ".")), 0)
}

function endAll(child) {
  if (!hasGroups) return child.kill()
  try {
    process.kill(-child.pid)
  } catch {
    // All of it has just ended.
  }
}

/** Windows starts `.cmd` files only through its shell. */
function needsShell(program) {
  return process.platform === "win32" && !program.endsWith(".exe")
}

/** How much the nice value is raised (at most to 19): the process then gets a third of the time beside a busy one. */
const nicer = 5

function giveWay(pid) {
  // The program could not be started.
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(19, getPriority() + nicer))
  } catch {
    // It has already ended, or keeps the normal priority.
  }
}
