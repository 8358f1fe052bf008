import { spawn } from "node:child_process"

/** ms; a shell that needs longer to read a script is not waited for. */
const timeout = 5_000

/** Whether the shell itself understands a script. It is read, and nothing of it runs. */
export function shellAccepts(shell: string, script: string, path: string | undefined): Promise<boolean> {
  // Where Next's types are present, ProcessEnv demands NODE_ENV; reading a script needs none.
  const env = { ...(path !== undefined && { PATH: path }), LC_ALL: "C.UTF-8" } as unknown as NodeJS.ProcessEnv
  return new Promise((resolve) => {
    const child = spawn(shell, ["-n", "-c", script], { env, stdio: "ignore", timeout })
    child.once("error", () => resolve(false))
    child.once("close", (code) => resolve(code === 0))
  })
}
