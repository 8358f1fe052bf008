import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { ProvidedFile } from "@docket/core/other-programs"
import { answer, lastUserText, toolResults } from "@docket/core/test/scripted-runtime"
import { nodeTimers } from "@docket/core/timers"
import { expect, onTestFinished, test } from "vitest"
import { runHttp } from "./run-http.ts"
import { hookedRuntime, keeping, type ModelCall, run } from "./test/hooked-runtime.ts"

const done = () => answer("Done.")
const name = "~/.config/docket/docket.json"

/** What happened to the hooks of the user's docket.json. */
async function itemOf(host: Awaited<ReturnType<typeof hookedRuntime>>) {
  const { projectID } = host.session
  const services = host.servicesOf({ person: "local", workspace: "local" })
  const item = (await services.extension.list(projectID)).find(({ ref }) => ref.name === name)
  if (item === undefined) throw new Error("no hooks are listed")
  return item
}

test("a hook that hangs is ended with all that it started", async () => {
  const fast = { ...nodeTimers, after: (ms: number, begin: () => void) => nodeTimers.after(ms / 100, begin) }
  await using host = await hookedRuntime(
    done,
    { UserPromptSubmit: [{ hooks: [run("sleep 1000 & echo $! >> %DIR%/child; wait", { timeout: 3_600 })] }] },
    { timers: fast },
  )
  await host.prompt("Go on")
  const [child] = host.said("child")
  await expect.poll(() => isAlive(Number(child))).toBe(false)
  const { use, log } = await itemOf(host)
  expect(use).toMatchObject({ calls: 1, failures: 1 })
  expect(log.join("\n")).toContain("did not end within 60 s")
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test("a hook that floods its output is ended and ignored", async () => {
  const asked: string[] = []
  await using host = await hookedRuntime(
    (options) => {
      asked.push(lastUserText(options))
      return answer("Done.")
    },
    { UserPromptSubmit: [{ hooks: [run("yes flood")] }] },
  )
  await host.prompt("Go on")
  expect(asked[0]).not.toContain("flood")
  expect((await itemOf(host)).log.join("\n")).toContain("wrote more than 1 MiB")
})

test("a turn that is stopped stops its hooks", async () => {
  await using host = await hookedRuntime(done, { Stop: [{ hooks: [run("echo $$ >> %DIR%/begun; sleep 1000")] }] })
  const ended = host.prompt("Go on")
  await expect.poll(() => host.said("begun")).toHaveLength(1)
  await host.runtime.abort(host.session.id)
  await ended
  await expect.poll(() => isAlive(Number(host.said("begun")[0]))).toBe(false)
  expect((await itemOf(host)).use.calls).toBe(0)
})

test("hooks of one event run at once", async () => {
  // Each waits for the other.
  const meet = (own: string, other: string) =>
    run(`touch %DIR%/${own}; until [ -e %DIR%/${other} ]; do sleep 0.01; done`)
  await using host = await hookedRuntime(done, {
    UserPromptSubmit: [{ hooks: [meet("a", "b")] }, { hooks: [meet("b", "a")] }],
  })
  expect(await host.prompt("Go on")).toMatchObject({ status: "completed" })
  expect((await itemOf(host)).use).toMatchObject({ calls: 2, failures: 0 })
})

test("equal hooks run once, those with once only once a session", async () => {
  await using host = await hookedRuntime(done, {
    UserPromptSubmit: [{ hooks: [keeping("same")] }, { hooks: [keeping("same")] }],
    Stop: [{ hooks: [run('echo "$(cat)" >> %DIR%/once', { once: true })] }],
  })
  await host.prompt("One")
  await host.prompt("Two")
  expect(host.said("same")).toHaveLength(2)
  expect(host.said("once")).toHaveLength(1)
})

test("nothing waits for an async hook; the agent hears later", async () => {
  const asked: string[] = []
  await using host = await hookedRuntime(
    (options) => {
      asked.push(lastUserText(options))
      return answer("Done.")
    },
    {
      SessionStart: [
        {
          hooks: [
            run("until [ -e %DIR%/go ]; do sleep 0.01; done; echo 'The build broke.' >&2; exit 2", {
              asyncRewake: true,
            }),
          ],
        },
      ],
      Stop: [{ hooks: [run("touch %DIR%/go")] }],
    },
  )
  await host.prompt("One")
  await expect.poll(async () => (await itemOf(host)).use.calls).toBe(2)
  await host.prompt("Two")
  expect(asked[1]).toContain("says:\nThe build broke.")
})

test("no more hooks that nothing waits for start than may run", async () => {
  const slow = (n: number, more: object) =>
    run(`echo ${n} >> %DIR%/begun; until [ -e %DIR%/go ]; do sleep 0.01; done`, more)
  await using host = await hookedRuntime(
    done,
    {
      UserPromptSubmit: [{ hooks: [1, 2, 3, 4].map((n) => slow(n, { async: true })) }],
      Stop: [{ hooks: [run(`touch %DIR%/go`)] }],
    },
    { mostUnawaited: 2 },
  )
  await host.prompt("One")
  await expect.poll(async () => (await itemOf(host)).use).toMatchObject({ calls: 5, failures: 2 })
  expect(host.said("begun")).toHaveLength(2)
  expect((await itemOf(host)).log.join("\n")).toContain("too many hooks that nothing waits for are running")
})

test("a hook may say itself that nothing waits for it", async () => {
  await using host = await hookedRuntime(done, {
    UserPromptSubmit: [{ hooks: [run(`echo '{"async":true}'; until [ -e %DIR%/go ]; do sleep 0.01; done`)] }],
    Stop: [{ hooks: [run("touch %DIR%/go")] }],
  })
  expect(await host.prompt("One")).toMatchObject({ status: "completed" })
  await expect.poll(async () => (await itemOf(host)).use).toMatchObject({ calls: 2, failures: 0 })
})

test("the user's own address gets posts, with named variables alone", async () => {
  const posted: { body: string; headers: unknown }[] = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (data) => (body += data))
    request.on("end", () => {
      posted.push({ body, headers: request.headers })
      response.end(JSON.stringify({ decision: "block", reason: "The server forbids it." }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const headers = { Authorization: "Bearer $HOOK_KEY", "X-Other": "[${OTHER}]" }
  await using host = await hookedRuntime(
    done,
    { UserPromptSubmit: [{ hooks: [{ type: "http", url, headers, allowedEnvVars: ["HOOK_KEY"] }] }] },
    { env: { PATH: process.env.PATH ?? "", HOOK_KEY: "k1", OTHER: "hidden" } },
  )
  await expect(host.prompt("Go on")).rejects.toThrow("The server forbids it.")
  expect(posted).toHaveLength(1)
  expect(posted[0]?.headers).toMatchObject({ authorization: "Bearer k1", "x-other": "[]" })
  expect(JSON.parse(posted[0]?.body ?? "")).toMatchObject({ hook_event_name: "UserPromptSubmit", prompt: "Go on" })
})

test("a project's hook reaches what its commands reach", async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const failureOf = async (host: string, how: { isOwn: boolean; isConfined?: boolean; allow?: string[] }) => {
    const { isOwn, isConfined = false, allow = [] } = how
    const { failure } = await runHttp({
      place: {
        ...{ env: {}, isShared: false, config: { sandbox: { network: { allow } } } },
        unconfined: async () => (isConfined ? null : "no sandbox"),
      },
      set: { isOwn },
      handler: { type: "http", url: `http://${host}:${port}/` },
      ...{ input: "{}", timeoutMs: 5_000, signal: new AbortController().signal },
    })
    return failure
  }
  for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
    expect(await failureOf(host, { isOwn: false })).toContain("only hooks of your own reach such an address")
    expect(await failureOf(host, { isOwn: false, isConfined: true })).toContain("in sandbox.network.allow")
  }
  // Without a port no address of this machine is meant.
  const allow = ["localhost", "*.localhost"]
  expect(await failureOf("localhost", { isOwn: false, isConfined: true, allow })).toContain("sandbox.network.allow")
  expect(asked).toBe(0)
  const withPort = [`localhost:${port}`]
  expect(await failureOf("localhost", { isOwn: false, isConfined: true, allow: withPort })).toBe(null)
  expect(await failureOf("127.0.0.1", { isOwn: true, isConfined: true })).toBe(null)
  expect(asked).toBe(2)
})

test("the user's hooks of Claude Code run once the user wants them", async () => {
  const hooks = { UserPromptSubmit: [{ hooks: [run("echo foreign")] }] }
  const file: ProvidedFile = {
    ...{ kind: "hook", name: "~/.claude/settings.json", file: "/home/x/.claude/settings.json" },
    text: JSON.stringify(hooks),
  }
  const asked: string[] = []
  await using host = await hookedRuntime(
    (options: ModelCall) => {
      asked.push(lastUserText(options))
      return toolResults(options).length > 0 ? answer("") : answer("Done.")
    },
    {},
    { ownHooks: async () => ({ files: [file] }) },
  )
  const { extension } = host.servicesOf({ person: "local", workspace: "local" })
  const { projectID } = host.session
  const state = async () => (await extension.list(projectID)).map(({ ref, state }) => [ref.name, state])
  expect(await state()).toEqual([["~/.claude/settings.json", "waits"]])
  await host.prompt("One")
  await extension.switch(projectID, { kind: "hook", name: file.name }, "on")
  expect(await state()).toEqual([["~/.claude/settings.json", "idle"]])
  await host.prompt("Two")
  await extension.switch(projectID, { kind: "hook", name: file.name }, "off")
  expect(await state()).toEqual([["~/.claude/settings.json", "off"]])
  await host.prompt("Three")
  expect(asked.map((text) => text.includes("foreign"))).toEqual([false, true, false])
})
