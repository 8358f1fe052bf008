import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import type { PermissionConfig } from "../../../ground/schema/permission.ts"
import type { SandboxConfig } from "../../../ground/schema/sandbox-config.ts"
import { confinementOf } from "../../sandbox/confinement.ts"
import { createSandbox } from "../../sandbox/create-sandbox.ts"
import type { Sandbox } from "../../sandbox/sandbox.ts"
import { createBashTool } from "../bash.ts"
import type { ToolContext } from "../tool.ts"
import { createToolFixture, type ToolFixture } from "./tool-fixture.ts"

interface RunOptions {
  /** Timeout in ms. */
  timeout?: number
  /** The reason to leave the sandbox. */
  outside?: string
  /** Files that the command asks to read. */
  read?: string[]
  /** Environment variables of the service. */
  env?: Record<string, string>
  /** Used instead of the fixture's context. */
  context?: ToolContext
}

export interface SandboxFixture extends ToolFixture {
  sandbox: Sandbox
  home: string
  data: string
  /** Sets the sandbox configuration, `mode` included. */
  configure(config: SandboxConfig): void
  git(...args: string[]): string
  /** Runs a command as an agent does. */
  run(command: string, options?: RunOptions): Promise<string>
}

/**
 * A machine with a home, Docket's data and a project, whose commands run in the sandbox. Without a sandbox they are
 * refused, so no attack of a test ever runs on the machine itself.
 */
export function createSandboxFixture(
  rules: Exclude<PermissionConfig, string> = {},
  configOf: (fixture: ToolFixture) => SandboxConfig = () => ({}),
): SandboxFixture {
  const guarded = { ".docket": "allow", ".docket/*": "allow", "docket.json": "allow" } as const
  const fixture = createToolFixture({ "*": "allow", edit: { "*": "allow", ...guarded }, ...rules })
  let config: SandboxConfig = { ...configOf(fixture), mode: "required" }
  const root = realpathSync(path.dirname(fixture.project))
  const home = path.join(root, "home")
  const data = path.join(home, ".docket")
  mkdirSync(data, { recursive: true })
  writeFileSync(path.join(data, "token"), "the token of the service")
  const sandbox = createSandbox({
    home,
    env: process.env,
    platform: process.platform,
    dataDirectory: data,
    configDirectory: path.join(home, ".config", "docket"),
    clock: Date.now,
  })
  fixture.context.confinement = () => confinementOf(sandbox, config, { projectID: root, ...fixture.context })
  return {
    ...fixture,
    sandbox,
    home,
    data,
    configure(changed) {
      config = changed
    },
    git: (...args) => execFileSync("git", args, { cwd: fixture.project }).toString().trim(),
    async run(command, { timeout, outside, read, env, context = fixture.context } = {}) {
      const tool = createBashTool({ env: { ...process.env, HOME: home, ...env }, clock: Date.now })
      const args = {
        command,
        ...(timeout && { timeout }),
        ...(outside !== undefined && { outside_sandbox: outside }),
        ...(read && { read }),
      }
      return (await tool.execute(args, context)).output
    },
  }
}

/** Why no reliable sandbox is available; null when one is. */
export async function sandboxLack(): Promise<string | null> {
  const root = mkdtempSync(path.join(tmpdir(), "docket-sandbox-"))
  const sandbox = createSandbox({
    home: path.join(root, "home"),
    env: process.env,
    platform: process.platform,
    dataDirectory: path.join(root, "data"),
    configDirectory: path.join(root, "config"),
    clock: Date.now,
  })
  const { state, reason } = await sandbox.state()
  rmSync(root, { recursive: true, force: true })
  return state === "on" ? null : reason
}
