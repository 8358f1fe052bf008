import { spawn } from "node:child_process"

/**
 * Runs a program to its end and collects what it prints.
 * @param {string[]} command program and arguments
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, show?: boolean }} options `show` lets the
 *   program write to our stderr while it runs
 * @returns {Promise<{ code: number, output: string }>} code 127 when the program does not exist
 */
export function run([program, ...args], { cwd, env, show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], shell: needsShell(program) })
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk
        if (show) process.stderr.write(chunk)
      })
    child.on("error", (error) => resolve({ code: error.code === "ENOENT" ? 127 : 1, output: String(error) }))
    child.on("close", (code) => resolve({ code: code ?? 1, output }))
  })
}

/** Windows starts `.cmd` files only through its shell. */
function needsShell(program) {
  return process.platform === "win32" && !program.endsWith(".exe")
}
