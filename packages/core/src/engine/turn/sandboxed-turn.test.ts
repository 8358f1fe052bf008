import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { createSandbox } from "../../acts/sandbox/create-sandbox.ts"
import { sandboxLack } from "../../acts/tool/test/sandbox-fixture.ts"
import { describeAsk } from "../../ground/rule/index.ts"
import type { FeedItem } from "../../ground/schema/index.ts"
import type { PermissionConfig } from "../../ground/schema/permission.ts"
import type { LeftBehind } from "../../ground/schema/tool-metadata.ts"
import { answer, lastUserText, type Script, scriptedRuntime } from "../../test/scripted-runtime.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Turns in the sandbox are not tried: ${lack}`)

/** Each prompt is the input of one call of bash. */
const callsOfPrompt: Script = (options) =>
  options.prompt.at(-1)?.role === "tool"
    ? answer("Done.")
    : answer("", { tool: "bash", input: JSON.parse(lastUserText(options)) })

async function hosted(permission: PermissionConfig = "allow") {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "docket-turn-")))
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "docket-outside-")))
  onTestFinished(() => {
    for (const place of [directory, outside]) rmSync(place, { recursive: true, force: true })
  })
  const sandbox = createSandbox({
    home: join(outside, "home"),
    env: process.env,
    platform: process.platform,
    dataDirectory: join(directory, ".data"),
    configDirectory: join(directory, ".home/.config/docket"),
    clock: Date.now,
  })
  const env = { PATH: process.env.PATH ?? "" }
  const host = await scriptedRuntime(callsOfPrompt, { directory, env, sandbox, config: { permission } })
  const outputs = async () => {
    const { items } = await host.messages()
    const tools = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state] : [])))
    return tools.map((state) => (state.status === "completed" ? state.output : state.status))
  }
  return { host, outside, outputs, run: (input: object) => host.prompt(JSON.stringify(input)) }
}

const asks = (item: FeedItem) => item.type === "permission.asked"

describe.skipIf(lack !== null)("a turn", () => {
  test("runs its commands in the sandbox even when everything is allowed", async () => {
    const { host, outside, outputs, run } = await hosted()
    await using _ = host
    writeFileSync(join(outside, "secret"), "another project")
    await run({ command: `echo made > made.txt; cat ${outside}/secret; ls -A .data` })
    expect(readFileSync(join(host.directory, "made.txt"), "utf8")).toBe("made\n")
    expect((await outputs())[0]).toMatch(/No such file or directory\ntool-output\n\[exit code 0\]/)
    expect(host.events.some(asks)).toBe(false)
  })

  test('asks before a command reads protected files; "always" covers only that command', async () => {
    const { host, outputs, run } = await hosted({})
    await using _ = host
    writeFileSync(join(host.directory, ".env"), "TOKEN=hunter2\n")
    writeFileSync(join(host.directory, "run.sh"), "cat .env\n")
    await run({ command: "sh run.sh" })
    expect((await outputs())[0]).toMatch(/Permission denied[\s\S]*"read" is asked: \.env\./)
    const first = run({ command: "sh run.sh", read: [".env"] })
    const asked = await host.until(asks)
    if (asked.type !== "permission.asked") throw new Error("no request")
    const { request } = asked.properties
    expect(request).toMatchObject({ permission: "read", patterns: [".env"], always: ["sh run.sh < .env"] })
    expect(describeAsk(request)).toMatchObject({
      act: { does: "let this command read", what: [".env"] },
      command: "sh run.sh",
      reasons: [".env is a file of a kind that often holds secrets."],
    })
    await host.runtime.permission.reply(request.id, "always", { remember: { within: "project" } })
    await first
    await run({ command: "sh run.sh" })
    await run({ command: "sh ./run.sh" })
    const read = "TOKEN=hunter2\n[exit code 0]"
    expect((await outputs()).slice(1)).toEqual([read, read, expect.stringContaining("Permission denied")])
    const {
      grants: [grant],
    } = await host.runtime.permission.grants()
    expect(grant).toMatchObject({ scope: "project", permission: "read", patterns: ["sh run.sh < .env"] })
    await host.runtime.permission.revoke(grant?.id ?? "")
    await run({ command: "sh run.sh" })
    expect((await outputs()).at(-1)).toContain("Permission denied")
  })

  test("in sandbox mode asks for unknown words when any command is denied", async () => {
    const { host, outputs, run } = await hosted({ bash: { "*": "ask", "rm -rf *": "deny" } })
    await using _ = host
    await host.runtime.session.setPreset(host.session.id, "sandbox")
    mkdirSync(join(host.directory, "kept"))
    await run({ command: "rm -f missing; ls -d kept" })
    const waiting = run({ command: "X=-rf; rm $X kept" })
    const asked = await host.until(asks)
    if (asked.type !== "permission.asked") throw new Error("no request")
    expect(asked.properties.request).toMatchObject({ permission: "bash", unknown: ["rm $X kept"] })
    // Choosing the preset again does not answer the waiting request.
    await host.runtime.session.setPreset(host.session.id, "ask")
    await host.runtime.session.setPreset(host.session.id, "sandbox")
    expect(await host.runtime.permission.pending()).toHaveLength(1)
    await host.runtime.permission.reply(asked.properties.request.id, "reject")
    await waiting
    expect(await outputs()).toEqual(["kept\n[exit code 0]", "error"])
  })

  test("leaves configuration in place that a person allowed, listed as grant", async () => {
    const { host, run } = await hosted()
    await using _ = host
    const make = async () => {
      rmSync(join(host.directory, ".vscode"), { recursive: true, force: true })
      await run({ command: "mkdir .vscode; echo {} > .vscode/settings.json" })
      const { items } = await host.messages()
      const states = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state] : [])))
      const last = states.at(-1)
      const metadata: { leftBehind?: LeftBehind[] } = last?.status === "completed" ? last.metadata : {}
      return metadata.leftBehind ?? []
    }
    const [left] = await make()
    await host.runtime.permission.allowLeft(host.session.id, left?.id ?? "")
    expect(readFileSync(join(host.directory, ".vscode/settings.json"), "utf8")).toBe("{}\n")
    expect(await make()).toEqual([])
    const {
      grants: [grant],
    } = await host.runtime.permission.grants()
    expect(grant).toMatchObject({ scope: "project", permission: "left_behind", patterns: [`.vscode ${left?.id}`] })
    await host.runtime.permission.revoke(grant?.id ?? "")
    expect(await make()).toMatchObject([{ kind: "moved-aside", path: ".vscode", id: left?.id }])
    await expect(host.runtime.permission.allowLeft(host.session.id, "0")).rejects.toMatchObject({
      code: "left_not_kept",
    })
  })

  test('asks to leave the sandbox; the grant "always" covers only that command', async () => {
    const { host, outside, outputs, run } = await hosted()
    await using _ = host
    const command = `echo outside >> ${outside}/made`
    const first = run({ command, outside_sandbox: "It writes beside the project." })
    const asked = await host.until(asks)
    if (asked.type !== "permission.asked") throw new Error("no request")
    const { request } = asked.properties
    expect(request).toMatchObject({
      permission: "sandbox",
      patterns: [command],
      always: [command],
      metadata: { kind: "command", command, outside: "It writes beside the project." },
    })
    await host.runtime.permission.reply(request.id, "always")
    await first
    await run({ command, outside_sandbox: "Again." })
    expect(readFileSync(join(outside, "made"), "utf8")).toBe("outside\noutside\n")
    const other = run({ command: `${command}; true`, outside_sandbox: "Something else." })
    const second = await host.until((item) => asks(item) && item !== asked)
    if (second.type !== "permission.asked") throw new Error("no request")
    await host.runtime.permission.reply(second.properties.request.id, "reject")
    await other
    expect(await outputs()).toEqual(["(no output)\n[exit code 0]", "(no output)\n[exit code 0]", "error"])
  })
})
