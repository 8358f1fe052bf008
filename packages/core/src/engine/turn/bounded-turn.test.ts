import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { tried } from "@docket/config/sampling"
import { describe, expect, onTestFinished, test } from "vitest"
import { createBounds } from "../../acts/bound/create-bounds.ts"
import { listProcesses } from "../../acts/bound/list-processes.ts"
import { createSandbox } from "../../acts/sandbox/create-sandbox.ts"
import { sandboxLack } from "../../acts/tool/test/sandbox-fixture.ts"
import type { SandboxLimits } from "../../ground/schema/index.ts"
import { answer, lastUserText, type Script, scriptedRuntime } from "../../test/scripted-runtime.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Limits of commands in the sandbox are not tried: ${lack}`)

/** Each prompt is the input of one call of bash. */
const callsOfPrompt: Script = (options) =>
  options.prompt.at(-1)?.role === "tool"
    ? answer("Done.")
    : answer("", { tool: "bash", input: JSON.parse(lastUserText(options)) })

/** A runtime with small limits for commands, as on a machine without control groups. */
async function hosted({ isSandboxed }: { isSandboxed: boolean }) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "docket-bounded-")))
  const outside = mkdtempSync(join(tmpdir(), "docket-outside-"))
  const sandbox = createSandbox({
    home: join(outside, "home"),
    env: process.env,
    platform: process.platform,
    dataDirectory: join(directory, ".data"),
    configDirectory: join(directory, ".home/.config/docket"),
    clock: Date.now,
  })
  const bounds = createBounds({ platform: process.platform, clock: Date.now, groups: false })
  const limits = { command: { processes: 64, memory: "256 MiB", written: "128 MiB" }, free: "1 MiB" }
  const host = await scriptedRuntime(callsOfPrompt, {
    ...{ directory, sandbox, bounds, env: { PATH: process.env.PATH ?? "" } },
    config: { permission: "allow", sandbox: { mode: isSandboxed ? "required" : "off", limits } },
  })
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    await Promise.all([bounds.close(), sandbox.close()])
    for (const place of [directory, outside]) rmSync(place, { recursive: true, force: true })
  })
  const { runtime, session } = host
  const other = await runtime.session.create({ projectID: session.projectID })
  const submit = (sessionID: string, command: string) =>
    runtime.prompt.submit(sessionID, { parts: [{ type: "text", text: JSON.stringify({ command, timeout: 100_000 }) }] })
  return {
    host,
    session,
    directory,
    begin: (command: string) => submit(session.id, command),
    /** The result of the last call of a session. */
    async lastResult(sessionID: string) {
      const { items } = await host.messages(sessionID)
      const states = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state] : [])))
      const last = states.at(-1)
      return last?.status === "completed" ? last.output : last?.status === "error" ? last.error : last?.status
    },
    async inOther(command: string) {
      const turn = await submit(other.id, command)
      await runtime.prompt.wait(turn.id)
      return this.lastResult(other.id)
    },
    limits: (): Promise<SandboxLimits> => runtime.sandbox.limits(),
    async processesLeft() {
      const all = await listProcesses()
      return all.filter(({ pid, zombie }) => !zombie && environmentOf(pid).includes(`=${session.id}.`)).length
    },
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1")
  } catch {
    return ""
  }
}

/** Each load stops by itself, far below the limits of the machine. */
const loads = [
  {
    name: "a fork bomb",
    command: "bomb() { [ $1 -gt 9 ] && sleep 20 && return; bomb $(($1+1)) | bomb $(($1+1)) & wait; }; bomb 0",
    said: "it had more than 64 processes and threads at once",
  },
  {
    name: "a memory hog",
    command: `${process.execPath} -e 'const kept = []; for (let i = 0; i < 100; i++) { kept.push(Buffer.alloc(1e7, 1)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10) }'; sleep 20`,
    said: "it used more than 256 MiB of memory",
  },
  {
    name: "files in memory",
    command: "for i in $(seq 100); do head -c 10M /dev/zero >> /dev/shm/big || break; done; sleep 20",
    said: "it used more than 256 MiB of memory",
    isSandboxOnly: true,
  },
  {
    name: "a disk filler",
    command: "for i in $(seq 100); do head -c 4M /dev/zero >> big; sleep 0.02; done; sleep 20",
    said: "it wrote more than 128 MiB to disks",
  },
  {
    name: "10 GB of output",
    command: "head -c 10G /dev/zero | tr '\\0' x",
    said: "too much output",
  },
]

describe.skipIf(lack !== null || process.platform !== "linux")("a turn whose command goes over a limit", () => {
  test.each(loads)("ends the command for $name while another session answers", async (load) => {
    const each = load.isSandboxOnly ? [true] : [true, false]
    const fiveTimes = Array.from({ length: 5 }, () => each).flat()
    for (const isSandboxed of tried([true], fiveTimes)) {
      const at = await hosted({ isSandboxed })
      const turn = await at.begin(`echo x > begun; ${load.command}`)
      // The command's result in its place says why it did not begin.
      const begun = async () => existsSync(join(at.directory, "begun")) || (await at.lastResult(at.session.id))
      await expect.poll(begun, { timeout: 30_000 }).toBe(true)
      expect(await at.inOther("echo answered")).toContain("answered\n[exit code 0]")
      await at.host.runtime.prompt.wait(turn.id)
      expect(await at.lastResult(at.session.id)).toContain(load.said)
      await expect.poll(at.processesLeft).toBe(0)
      expect(await at.inOther("echo still")).toContain("still\n[exit code 0]")
      const { ended } = await at.limits()
      expect(ended).toHaveLength(load.said === "too much output" ? 0 : 1)
      expect(at.host.errors).toEqual([])
    }
  })
})
