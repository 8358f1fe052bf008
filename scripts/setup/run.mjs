import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

/**
 * Runs a program to its end and collects what it prints.
 * @param {string[]} command program and arguments
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, onLine?: (line: string) => void }} options
 *   `onLine` gets each line while the program runs
 * @returns {Promise<{ code: number, output: string }>} code 127 when the program does not exist
 */
export function run([program, ...args], { cwd, env, onLine } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], shell: needsShell(program) })
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
