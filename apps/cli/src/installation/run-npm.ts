import { spawn } from "node:child_process"
import { once } from "node:events"
import { UsageError } from "../usage-error.ts"

/**
 * Runs npm in the foreground.
 * @param directory where it works; by default the current one
 * @returns its exit code
 * @throws UsageError when there is no npm
 */
export async function runNpm(args: readonly string[], directory?: string): Promise<number> {
  // Windows starts `.cmd` files only through its shell, which takes words apart.
  const isWindows = process.platform === "win32"
  const words = isWindows ? args.map((word) => `"${word}"`) : args
  const npm = spawn(isWindows ? "npm.cmd" : "npm", words, { cwd: directory, stdio: "inherit", shell: isWindows })
  try {
    const [code] = await once(npm, "exit")
    return typeof code === "number" ? code : 1
  } catch (cause) {
    throw new UsageError("npm was not found. It comes with Node; add its directory to PATH.", { cause })
  }
}
